import fc from 'fast-check'
import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import type { ParamRule } from '../../core/params.ts'
import { withGot } from '../../core/rule-text.ts'
import { readArguments, readFormat } from '../../rest/handler/params.ts'
import { faultOf } from '../kit/faults.ts'

const param = (rule: ParamRule) => ({ extensions: { param: rule } })
const SafeInt = new GraphQLScalarType({ name: 'SafeInt' })
const group = new GraphQLEnumType({ name: 'Group', values: { brand: {}, competitors: {} } })
const texts = new GraphQLList(new GraphQLNonNull(GraphQLString))
const declared: Record<string, GraphQLArgumentConfig> = {
  projectId: { type: new GraphQLNonNull(GraphQLID) },
  days: { type: SafeInt, ...param({ min: 1, max: 180, default: 30 }) },
  limit: { type: SafeInt, ...param({ min: 1, max: 50, clamp: true, default: 20 }) },
  offset: { type: SafeInt, ...param({ min: 0 }) },
  branded: { type: GraphQLBoolean },
  search: { type: GraphQLString, ...param({ mayBeEmpty: true }) },
  group: { type: group },
  sort: { type: GraphQLString, ...param({ values: ['usage', '-usage'], default: '-usage' }) },
  platform: { type: texts, ...param({ list: true }) },
  sourceType: { type: texts, ...param({ list: true, values: ['brand', 'forum'] }) },
}
const daysRule = 'must be a whole number from 1 to 180'
const limitRule = 'must be a whole number from 1'
const args =
  new GraphQLObjectType({
    name: 'Query',
    fields: { report: { type: GraphQLString, args: declared } },
  }).getFields().report?.args ?? []

const read = (query: string) => {
  const values = readArguments(args, { projectId: 'p' }, new URLSearchParams(query))
  expect(values.projectId).toBe('p')
  const { projectId: _, ...rest } = values
  return rest
}

/** What is said of the field, undefined when the query passes. */
function complaints(query: string): Record<string, string[]> | undefined {
  const fault = faultOf(() => read(query))
  if (fault === undefined) return undefined
  expect(fault).toMatchObject({ code: 'invalid_argument', status: 400 })
  return fault.extras.details?.fieldErrors
}

describe('a query string', () => {
  test('is read by the types of the arguments', () => {
    expect(read('days=7&branded=true&search=a%20b&group=brand&platform=chatgpt,gemini')).toEqual({
      days: 7,
      branded: true,
      search: 'a b',
      group: 'brand',
      platform: ['chatgpt', 'gemini'],
    })
  })

  test('says nothing of arguments that are absent: the schema knows their defaults', () => {
    expect(read('')).toEqual({})
  })

  test('may hold parameters that nobody knows', () => {
    expect(read('utm_source=x&Days=0&__proto__=1&constructor=2&days=7')).toEqual({ days: 7 })
  })

  test('never stands in for the path', () => {
    const values = readArguments(args, { projectId: 'p' }, new URLSearchParams('projectId=q'))
    expect(values).toEqual({ projectId: 'p' })
  })

  test('must not lack what is required', () => {
    const fault = faultOf(() => readArguments(args, {}, new URLSearchParams()))
    expect(fault?.extras.details?.fieldErrors).toEqual({ projectId: ['is required'] })
  })

  test.each(['days', 'limit', 'branded', 'search', 'group', 'sort'])(
    'must not repeat the single-valued %s, even with the same value',
    (name) => {
      const value = { branded: 'true', search: 'x', group: 'brand', sort: 'usage' }[name] ?? '7'
      expect(complaints(`${name}=${value}`)).toBeUndefined()
      expect(complaints(`${name}=${value}&${name}=${value}`)).toEqual({
        [name]: ['must be given once'],
      })
    },
  )
})

describe('an integer', () => {
  test.each([
    ['7', 7],
    ['007', 7],
    ['%2B7', 7],
    ['180', 180],
  ])('%s is %i', (text, value) => {
    expect(read(`days=${text}`)).toEqual({ days: value })
  })

  test.each(['', 'abc', '7.5', '7.0', '1e2', '0x10', '%207', '7%20', '+7', '1,2', 'NaN', '-', '٧'])(
    '%j is refused',
    (text) => {
      const got = new URLSearchParams(`days=${text}`).get('days')
      expect(complaints(`days=${text}`)).toEqual({ days: [withGot(daysRule, got)] })
      expect(complaints(`limit=${text}`)).toEqual({ limit: [withGot(limitRule, got)] })
    },
  )

  test('out of bounds is refused, or clamped where the rule clamps', () => {
    expect(complaints('days=0')).toEqual({ days: [`${daysRule}; got \`0\``] })
    expect(complaints('days=-1')).toEqual({ days: [`${daysRule}; got \`-1\``] })
    expect(complaints('days=181')).toEqual({ days: [`${daysRule}; got \`181\``] })
    expect(complaints('limit=0')).toEqual({ limit: [`${limitRule}; got \`0\``] })
    expect(read('limit=51')).toEqual({ limit: 50 })
  })

  test('of any length clamps or is refused: none is too long to read', () => {
    const digits = '9'.repeat(400)
    expect(read(`limit=${digits}`)).toEqual({ limit: 50 })
    expect(complaints(`limit=-${digits}`)).toEqual({
      limit: [`${limitRule}; got \`-${'9'.repeat(39)}…\``],
    })
    expect(complaints(`days=${digits}`)).toEqual({
      days: [`${daysRule}; got \`${'9'.repeat(40)}…\``],
    })
    expect(read(`offset=${digits}`)).toEqual({ offset: Number.MAX_SAFE_INTEGER })
  })

  test('is a whole number within its bounds, or is refused, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[+-]?\d{1,30}$/),
      fc.double().map(String),
    )
    fc.assert(
      fc.property(text, (given) => {
        const query = new URLSearchParams({ limit: given }).toString()
        if (complaints(query) !== undefined) return
        const { limit } = read(query)
        expect(Number.isSafeInteger(limit)).toBe(true)
        expect(limit).toBe(Math.min(50, Number(given)))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a flag', () => {
  test('is true or false, in any case', () => {
    expect(read('branded=true')).toEqual({ branded: true })
    expect(read('branded=FALSE')).toEqual({ branded: false })
  })

  test.each(['', '1', '0', 'yes', 'on', 'truee'])('%j is refused', (text) => {
    expect(complaints(`branded=${text}`)).toEqual({
      branded: [withGot('must be true or false', text)],
    })
  })
})

describe('a text', () => {
  test('keeps its commas, its spaces and its emptiness', () => {
    expect(read('search=a,b')).toEqual({ search: 'a,b' })
    expect(read('search=%20a%20')).toEqual({ search: ' a ' })
    expect(read('search=')).toEqual({ search: '' })
  })

  test('of a closed list is refused with the list when it is none of them', () => {
    expect(read('sort=-usage')).toEqual({ sort: '-usage' })
    expect(complaints('sort=rank')).toEqual({ sort: ['must be one of usage, -usage; got `rank`'] })
  })
})

describe('a list', () => {
  test('is split at commas, trimmed, and may be repeated', () => {
    expect(read('platform=chatgpt')).toEqual({ platform: ['chatgpt'] })
    expect(read('platform=chatgpt,%20gemini%20,,')).toEqual({ platform: ['chatgpt', 'gemini'] })
    expect(read('platform=chatgpt&platform=gemini,claude')).toEqual({
      platform: ['chatgpt', 'gemini', 'claude'],
    })
  })

  test.each(['', ',', '%20,%20'])('without a member is refused: %j', (text) => {
    expect(complaints(`platform=${text}`)).toEqual({ platform: ['must not be empty'] })
  })

  test('of a closed list is refused when one member is none of them', () => {
    expect(read('sourceType=brand,forum')).toEqual({ sourceType: ['brand', 'forum'] })
    expect(complaints('sourceType=brand,blog')).toEqual({
      sourceType: ['must be one of brand, forum; got `blog`'],
    })
  })
})

describe('format', () => {
  const format = (query: string, hasCsv: boolean) => readFormat(new URLSearchParams(query), hasCsv)
  const refused = (query: string, hasCsv: boolean) =>
    faultOf(() => format(query, hasCsv))?.extras.details?.fieldErrors.format

  test('is json unless csv is asked, of an operation that has it', () => {
    expect(format('', true)).toBe('json')
    expect(format('', false)).toBe('json')
    expect(format('format=json', false)).toBe('json')
    expect(format('format=csv', true)).toBe('csv')
  })

  test('csv of an operation without it, another word, or two at once are refused', () => {
    expect(refused('format=csv', false)).toEqual(['must be json: this endpoint has no CSV'])
    for (const word of ['', 'CSV', 'xml']) {
      expect(refused(`format=${word}`, true)).toEqual([withGot('must be json or csv', word)])
    }
    expect(refused('format=csv&format=csv', true)).toEqual(['must be given once'])
    expect(refused('format=json&format=csv', false)).toEqual(['must be given once'])
  })
})
