import { builder } from './builder.ts'

/** How many rows have each value of a field: a map in REST, a list in GraphQL. */
export interface KeyCount {
  readonly key: string
  readonly count: number
}

export const keyCount = builder.objectRef<KeyCount>('KeyCount').implement({
  description: 'How many rows have one value.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The value.' }),
    count: t.expose('count', { type: 'SafeInt', description: 'The rows that have it.' }),
  }),
})

/** What a field of the type JSON is in REST when it holds a map of counts. */
export const countMapSchema = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 0 },
} as const

export function countMap(counts: readonly KeyCount[]): Record<string, number> {
  return Object.fromEntries(counts.map(({ key, count }) => [key, count]))
}
