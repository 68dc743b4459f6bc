import { expect } from 'vitest'
import type { TestApi } from '../../kit/api.ts'

export interface List {
  /** The list with `args`, and the field that names a row. */
  readonly query: (args: string) => string
  /** Adds the row of this place. Rows are added last place first, and places may lie between others. */
  readonly make: (n: number) => Promise<unknown>
  /** Removes the row of this place, where rows of this list can go. */
  readonly remove?: (n: number) => Promise<unknown>
  /** The name of the row of this place. */
  readonly name: (n: number) => unknown
}

interface Page {
  readonly nodes: readonly { readonly name: unknown }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

/** The first page of rows in a value, however deep. */
function pageIn(value: unknown): Page {
  if (typeof value === 'object' && value !== null && 'nodes' in value) return value as Page
  return pageIn(Object.values(Array.isArray(value) ? (value[0] as object) : (value as object))[0])
}

/** Asks for one list, and gives its page. */
export function pagesOf(api: TestApi, key: () => string) {
  return async (query: string): Promise<Page> => {
    const body = (await (await api.graphql(`{ ${query} }`, key())).json()) as {
      data: unknown
      errors?: readonly { readonly message: string }[]
    }
    expect(body.errors).toBeUndefined()
    return pageIn(body.data)
  }
}

export const namesOf = ({ nodes }: Page) => nodes.map(({ name }) => name)

/** Reads a list of six rows two by two, while rows come and go before the cursor. */
export async function keepsItsPlace(
  ask: (query: string) => Promise<Page>,
  { query, make, remove, name }: List,
) {
  for (const n of [6, 5, 4, 3, 2, 1]) await make(n)
  const first = await ask(query('first: 2'))
  expect(namesOf(first)).toEqual([1, 2].map(name))
  await make(remove ? 1.5 : 0)
  // The row that the cursor points to goes as well.
  for (const n of [1, 2]) await remove?.(n)
  const second = await ask(query(`first: 2, after: "${first.pageInfo.endCursor}"`))
  expect(namesOf(second)).toEqual([3, 4].map(name))
  const third = await ask(query(`first: 2, after: "${second.pageInfo.endCursor}"`))
  expect(namesOf(third)).toEqual([5, 6].map(name))
  for (const n of [1.5, 3, 4, 5, 6]) await remove?.(n)
}
