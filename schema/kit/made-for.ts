import type { Asked } from '../../resolvers/shared/asked.ts'

/** What the numbers of an object count, where it was made for a window. */
export function madeFor(object: unknown): Asked | undefined {
  const { asked } = (object ?? {}) as { asked?: Partial<Asked> }
  return typeof asked?.from === 'string' ? (asked as Asked) : undefined
}
