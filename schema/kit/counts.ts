import { builder } from './builder.ts'

/** Number of rows with each value of a field: a map in REST, a list in GraphQL. */
export interface KeyCount {
  readonly key: string
  readonly count: number
}

export const keyCount = builder.objectRef<KeyCount>('KeyCount').implement({
  description: 'Rows with one value of a field.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Value of the field.' }),
    count: t.expose('count', { type: 'Int', description: 'Rows with the value.' }),
  }),
})

/** JSON Schema of a field that holds a map of counts in REST. */
export const countMapSchema = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 0 },
} as const

export function countMap(counts: readonly KeyCount[]): Record<string, number> {
  return Object.fromEntries(counts.map(({ key, count }) => [key, count]))
}
