import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generate } from '../../codegen.ts'
import { schemaBreaks } from '../../schema/contract/compat.ts'
import { emptyFolder, root } from '../kit/repository.ts'

const published = readFileSync(join(root, 'schema/schema.graphql'), 'utf8')

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

describe('the gate', () => {
  const change = 'Query.lost was removed.'
  const text = published.replace('type Query {', 'type Query {\n  lost: Boolean')
  const release = {
    name: 'v1',
    textOf: (path: string) => (path === 'schema/schema.graphql' ? text : undefined),
  }
  const folderDeclaring = (why: string, declares = change) => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'schema/contract'), { recursive: true })
    const declared = JSON.stringify([{ change: declares, why }])
    writeFileSync(join(folder, 'schema/contract/changes.json'), declared)
    return folder
  }

  test.each([emptyFolder, () => folderDeclaring(' ')])(
    'fails on a breaking change, also one declared without a reason',
    async (folder) => {
      const breaking = `Changes that break GraphQL clients of v1:\n  ${change}\n`
      expect(await generate(folder(), { check: true, release })).toContainEqual(
        expect.stringContaining(breaking),
      )
    },
  )

  test.each([change, 'Query.* was removed.'])(
    'accepts a breaking change declared as %s',
    async (declares) => {
      const folder = folderDeclaring('nobody could use it', declares)
      expect(await generate(folder, { check: false, release })).toEqual([])
    },
  )
})
