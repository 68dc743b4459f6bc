import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSchema, lexicographicSortSchema, printSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { generate } from '../../codegen.ts'
import { bareSchema, schemaBreaks } from '../../schema/contract/compat.ts'
import { emptyFolder, root } from '../kit/repository.ts'

const published = readFileSync(join(root, 'schema/schema.graphql'), 'utf8')
const baselineFile = 'schema/contract/baseline.graphql'

const sorted = (sdl: string) => printSchema(lexicographicSortSchema(buildSchema(bareSchema(sdl))))

const before = `
type Query {
  "Words."
  usage(days: Int = 30, plan: Plan): Usage!
  old: Int
}
type Usage { used: Int!, limit: Int }
enum Plan { free growth }
input Change { name: String }
type Mutation { change(input: Change!): Usage }
`
const found = (from: string, to: string) => {
  expect(before).toContain(from)
  return schemaBreaks(before, before.replace(from, to))
}

describe('a GraphQL client breaks when', () => {
  test.each([
    ['a field goes', '  old: Int\n', '', ['Query.old was removed.']],
    ['an argument goes', ', plan: Plan', '', ['Query.usage arg plan was removed.']],
    [
      'a field can be null',
      'used: Int!',
      'used: Int',
      ['Usage.used changed type from Int! to Int.'],
    ],
    [
      'a field has another type',
      'limit: Int',
      'limit: ID',
      ['Usage.limit changed type from Int to ID.'],
    ],
    [
      'an argument is required',
      'plan: Plan',
      'plan: Plan!',
      ['Query.usage arg plan has changed type from Plan to Plan!.'],
    ],
    ['a value of an enum goes', 'free growth', 'free', ['growth was removed from enum type Plan.']],
    [
      'a new field of an input is required',
      '{ name: String }',
      '{ name: String, id: ID! }',
      ['A required field id on input type Change was added.'],
    ],
    [
      'a default changes',
      '= 30',
      '= 7',
      ['Query.usage arg days has changed defaultValue from 30 to 7.'],
    ],
  ])('%s', (_what, from, to, changes) => {
    expect(found(from, to)).toEqual(changes)
  })
})

test.each([
  ['a field comes', '  old: Int\n', '  old: Int\n  more: Int\n'],
  ['an optional argument comes', 'plan: Plan', 'plan: Plan, from: String'],
  ['a value of an enum comes', 'free growth', 'free growth enterprise'],
  ['a field can no longer be null', 'limit: Int', 'limit: Int!'],
  ['an argument is no longer required', 'input: Change!', 'input: Change'],
  ['a description changes', '"Words."', '"Other words."'],
])('no GraphQL client breaks when %s', (_what, from, to) => {
  expect(found(from, to)).toEqual([])
})

test('the baseline is the schema without descriptions', () => {
  const baseline = readFileSync(join(root, baselineFile), 'utf8')
  expect(baseline).toBe(bareSchema(published))
  expect(published).toContain('"""')
  expect(baseline).not.toContain('"""')
  expect(schemaBreaks(baseline, published)).toEqual([])
})

describe('the gate', () => {
  const change = 'Query.lost was removed.'

  function write(folder: string, name: string, text: string) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }

  /** A folder whose baseline has a field that the schema lacks. */
  function folderWithLoss() {
    const folder = emptyFolder()
    const baseline = bareSchema(published).replace('type Query {', 'type Query {\n  lost: Boolean')
    expect(baseline).toContain('lost')
    write(folder, baselineFile, baseline)
    return { folder, baseline, read: () => readFileSync(join(folder, baselineFile), 'utf8') }
  }
  const declare = (folder: string, why: string) =>
    write(folder, 'schema/contract/changes.json', JSON.stringify([{ change, why }]))

  test('fails on a breaking change, also one declared without a reason, and keeps the baseline', async () => {
    const { folder, baseline, read } = folderWithLoss()
    const breaking = expect.stringContaining(`Changes that break GraphQL clients:\n  ${change}\n`)
    for (const check of [false, true]) {
      expect(await generate(folder, { check })).toContainEqual(breaking)
      expect(read()).toBe(baseline)
    }
    declare(folder, ' ')
    expect(await generate(folder, { check: true })).toEqual([breaking])
  })

  test('accepts a breaking change that is declared with its reason', async () => {
    const { folder, read } = folderWithLoss()
    declare(folder, 'nobody could use it')
    expect(await generate(folder, { check: false })).toEqual([])
    // The order of types is that of imports, which a test process may load in another order.
    expect(sorted(read())).toBe(sorted(published))
    expect(await generate(folder, { check: true })).toEqual([])
  })
})
