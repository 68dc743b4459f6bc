import { describe, expect, test } from 'vitest'
import { additionsTo } from '../../codegen/additions.ts'
import { shownFiles } from '../../codegen/guide.ts'

describe('what codegen adds to an API', () => {
  const kinds = (more: string) => `enum Kind { a ${more} } type Query { kind(id: ID): Kind }`

  test('a field, an argument and a value are named', () => {
    const after = `${kinds('b').replace('(id: ID)', '(id: ID, day: Int)')} type Row { name: String }`
    expect(additionsTo('schema/schema.graphql', kinds(''), after)).toBe(
      'Added to GraphQL: Kind.b, Query.kind(day), Row.name.\n',
    )
  })

  test('a key and a value of REST are named, with a word of warning', () => {
    const document = (row: object) => JSON.stringify({ components: { schemas: { Row: row } } })
    const before = document({ properties: { kind: { enum: ['a'] } } })
    const after = document({ properties: { kind: { enum: ['a', 'b'] }, total: {} } })
    expect(additionsTo('rest/contract/openapi.json', before, after)).toBe(
      'Added to REST: Row.total, Row.kind = b. The paths of REST are frozen: check that its clients may see this.\n',
    )
  })

  test('what was removed, or is in another file, is not named', () => {
    expect(additionsTo('schema/schema.graphql', kinds('b'), kinds(''))).toBeUndefined()
    expect(additionsTo('docs/errors.md', 'a', 'b')).toBeUndefined()
  })
})

test('the files of a guide are its blocks of TypeScript that have a path', () => {
  const guide =
    'See `x` in `x.ts`.\n\n**1. Write** in `a/b.ts`.\nIt is short.\n\n```ts\none\n```\n\n```ts\nno path\n```\n\n**2. Try** in `c.test.ts`.\n\n```ts\ntwo\n```\n'
  expect([...shownFiles(guide)]).toEqual([
    ['a/b.ts', 'one\n'],
    ['c.test.ts', 'two\n'],
  ])
})
