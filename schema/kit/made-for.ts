import type { Asked } from '../../resolvers/shared/asked.ts'

/** The types whose objects are made for a window and hand it to their fields, each with a word for such an object. */
export const madeTypes = {
  SourceUrl: 'URL',
  SourceDomain: 'domain',
  FanoutQuery: 'sub-query',
} as const

/** What the numbers of an object count, where it was made for a window. */
export function madeFor(object: unknown): Asked | undefined {
  const { asked } = (object ?? {}) as { asked?: Partial<Asked> }
  return typeof asked?.from === 'string' ? (asked as Asked) : undefined
}
