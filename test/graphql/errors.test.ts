import { beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '../../core/errors.ts'
import { useApi } from '../kit/api.ts'

/** What `errors` say of a query that is wrong, at the first run by graphql-js and at the next ones by graphql-jit. */

const api = useApi()

let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

interface GraphError {
  readonly message: string
  readonly locations?: readonly unknown[]
  readonly path?: readonly unknown[]
  readonly extensions: Record<string, unknown>
}

async function errorOf(query: string, variables: object): Promise<[number, GraphError]> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: query.replaceAll('PROJECT', `"${project}"`), variables }),
  })
  const { errors } = (await response.json()) as { errors: [GraphError] }
  return [response.status, errors[0]]
}

const visibility = (args: string) =>
  `{ project(id: PROJECT) { visibility(${args}) { __typename } } }`
const withVariable = (declared: string, args: string) => `query(${declared}) ${visibility(args)}`
const wholeNumber = 'must be a whole number'
const aDay = 'must be a day, such as 2025-05-24'

describe('a wrong value names its argument, with the path below it', () => {
  test.each<[string, string, object, string, string]>([
    [
      'a literal of a scalar',
      visibility('window: { days: "x" }'),
      {},
      ...(['window.days', `${wholeNumber}; got \`x\``] as const),
    ],
    [
      'a variable of a scalar',
      withVariable('$n: Int', 'window: { days: $n }'),
      { n: 'x' },
      ...(['window.days', `${wholeNumber}; got \`x\``] as const),
    ],
    [
      'a variable beyond 32 bits',
      withVariable('$n: Int', 'window: { days: $n }'),
      { n: 3_000_000_000 },
      ...([
        'window.days',
        'must be a whole number from -2147483647 to 2147483647; got `3000000000`',
      ] as const),
    ],
    [
      'a variable of an input object',
      withVariable('$w: Window', 'window: $w'),
      { w: { days: 1.5 } },
      ...(['window.days', `${wholeNumber}; got \`1.5\``] as const),
    ],
    [
      'a literal of a date',
      visibility('window: { from: 5, to: "2025-05-01" }'),
      {},
      ...(['window.from', `${aDay}; got \`5\``] as const),
    ],
    [
      'a variable of a date',
      withVariable('$w: Window', 'window: $w'),
      { w: { from: true } },
      ...(['window.from', `${aDay}; got \`true\``] as const),
    ],
    [
      'an entry of a list in a variable',
      withVariable('$f: Filter', 'filter: $f'),
      { f: { countries: ['DE', 5] } },
      ...(['filter.countries.1', 'must be a text; got `5`'] as const),
    ],
    [
      'an entry of a list in a literal',
      visibility('filter: { countries: ["DE", 5] }'),
      {},
      ...(['filter.countries.1', 'must be a text; got `5`'] as const),
    ],
    [
      'a key that the input object does not have',
      visibility('window: { dayz: 1 }'),
      {},
      ...(['window.dayz', 'Did you mean "days"'] as const),
    ],
    [
      'a variable with a key that the input object does not have',
      withVariable('$w: Window', 'window: $w'),
      { w: { dayz: 1 } },
      ...(['window', 'Did you mean "days"'] as const),
    ],
    [
      'an argument that the field does not have',
      visibility('windw: { days: 1 }'),
      {},
      ...(['windw', 'Did you mean "window"'] as const),
    ],
    ['an argument that is missing', '{ project { id } }', {}, 'id', 'is required'],
    [
      'a variable that is missing',
      'query($p: ID!) { project(id: $p) { id } }',
      {},
      ...(['id', 'is required'] as const),
    ],
    [
      'a value that the resolver refuses',
      visibility('window: { days: 0 }'),
      {},
      ...(['window.days', 'must be a whole number from 1; got `0`'] as const),
    ],
  ])('%s', async (_name, query, variables, argument, rule) => {
    for (const _run of ['graphql-js', 'graphql-jit', 'graphql-jit']) {
      const [, { message, locations, path, extensions }] = await errorOf(query, variables)
      expect(extensions).toMatchObject({
        code: 'invalid_argument',
        status: 400,
        howToFix: catalog.invalid_argument.howToFix,
        argument,
        details: { formErrors: [], fieldErrors: { [argument]: [expect.stringContaining(rule)] } },
      })
      expect(message).toContain(argument)
      // graphql-jit places the errors of resolvers by their path alone.
      expect((locations ?? path)?.length).toBeGreaterThan(0)
    }
  })
})

test.each([
  ['answers', 'filter: { promptIds: [$id] }', 'filter.promptIds.0'],
  ['answers', 'filter: { brands: { any: [$id] } }', 'filter.brands.any.0'],
  [
    'answers',
    'filter: { sentiment: { brandId: $id, is: [positive] } }',
    'filter.sentiment.brandId',
  ],
  ['prompts', 'filter: { topicIds: [$id] }', 'filter.topicIds.0'],
  ['suggestedPrompts', 'filter: { topicIds: [$id] }', 'filter.topicIds.0'],
  ['issues', 'filter: { pageId: $id }', 'filter.pageId'],
  ['promptRankings', 'topicId: $id', 'topicId'],
  ['prompt', 'id: $id', 'id'],
  ['alarm', 'id: $id', 'id'],
])('%s(%s) names the id that finds nothing', async (field, args, argument) => {
  const id = '5ae10fd7-1c9e-4b4a-8f0e-3c0f2f1f7a11'
  const query = `query($id: ID!) { project(id: PROJECT) { ${field}(${args}) { __typename } } }`
  const [status, { message, extensions }] = await errorOf(query, { id })
  expect([status, extensions.code, extensions.argument]).toEqual([200, 'not_found', argument])
  expect(message).toBe(`\`${argument}\` names nothing that the key reaches; got \`${id}\`.`)
})

test('a cited domain that is none is refused', async () => {
  const [, { extensions }] = await errorOf(
    '{ project(id: PROJECT) { answers(filter: { citedDomains: ["no domain"] }) { totalCount } } }',
    {},
  )
  expect(extensions).toMatchObject({ code: 'invalid_argument', argument: 'filter.citedDomains' })
})

test('a variable that may not be null and has a default may be left out at every run', async () => {
  const query = `query($project: ID!, $days: Int! = 7) { project(id: $project) { visibility(window: { days: $days }) { dateRange { from } } } }`
  for (const _run of ['graphql-js', 'graphql-jit', 'graphql-jit']) {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        // Never from memory.
        'x-explain-cost': '1',
      },
      body: JSON.stringify({ query, variables: { project } }),
    })
    expect(response.status).toBe(200)
  }
})

describe('a document that is wrong as a whole says what to change', () => {
  test.each([
    ['an unknown field', '{ projekts { id } }', 'Did you mean "projects" or "project"?'],
    ['no fields of an object', '{ projects }', 'must have a selection of subfields'],
    ['an unknown fragment', '{ projects { ...F } }', 'Unknown fragment "F"'],
    ['no syntax', '{ projects { ', 'Syntax Error: Expected Name'],
    [
      'too many aliases',
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
      'Aliases limit of 30 exceeded',
    ],
    ['too many tokens', `{ ${'id '.repeat(3000)} }`, 'Token limit of 2000 exceeded'],
    [
      'too many levels',
      `{ project(id: PROJECT) ${'{ workspace { apiKeys { nodes { project '.repeat(4)} { id } ${'} } } }'.repeat(4)} }`,
      'Query depth limit of 12',
    ],
    [
      'too many lists below each other',
      `{ projects { nodes { topics { edges { node { ${'prompts { nodes { answers { nodes { prompt { '.repeat(3)} id ${'} } } } }'.repeat(3)} } } } } } }`,
      'Nested lists limit of 7',
    ],
  ])('%s', async (_name, query, text) => {
    const [status, { message, extensions }] = await errorOf(query, {})
    expect(status).toBe(400)
    expect(message).toContain(text)
    if (text.includes('limit')) expect(message.startsWith(text)).toBe(true)
    const howToFix = text.includes('limit')
      ? 'Ask in several requests.'
      : 'Correct the request as `message` says.'
    expect(extensions).toMatchObject({
      code: 'invalid_argument',
      howToFix,
      details: { formErrors: [message], fieldErrors: {} },
    })
    expect(extensions).not.toHaveProperty('argument')
  })
})

test('a fragment is no level of a document', async () => {
  const nested = (n: number): string => (n === 0 ? 'id' : `... on Project { ${nested(n - 1)} }`)
  const response = await api.graphql(`{ project(id: "${project}") { ${nested(12)} } }`, key)
  expect(await response.json()).toEqual({ data: { project: { id: project } } })
})

test.each(['text/html', 'application/xml;q=2', 'application/json; charset=utf-16', 'nothing', ';'])(
  'a client that accepts %s alone gets JSON, and a mutation its answer',
  async (accept) => {
    const ask = (query: string) =>
      fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
        body: JSON.stringify({ query: query.replaceAll('PROJECT', `"${project}"`) }),
      })
    const wrong = await ask('{ nothing }')
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({
      errors: [{ extensions: { code: 'invalid_argument' } }],
    })
    const added = await ask('mutation { addTopic(projectId: PROJECT, name: "A") { __typename } }')
    expect(added.status).toBe(200)
    expect(await added.json()).toEqual({ data: { addTopic: { __typename: 'ProjectChange' } } })
  },
)

test('no field of a response is named `then`, at the first run and at the next one', async () => {
  const query = `{ project(id: PROJECT) { usage { quotas { then: prompts { current } } } } }`
  const [status, error] = await errorOf(query, {})
  expect([status, error.message]).toEqual([
    400,
    'The name `then` is that of promises. Choose another alias.',
  ])
  expect(await errorOf(query, {})).toMatchObject([400, { message: error.message }])
})
