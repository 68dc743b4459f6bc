import { z } from 'zod'
import { waysToObtain } from '../../core/collecting/obtained.ts'
import { jsonIn } from '../../core/json.ts'
import { isUuid } from '../../core/uuid.ts'
import { comparisons } from '../../core/window.ts'
import type { Asked } from '../../resolvers/shared/asked.ts'
import { type Slice, slicesBy } from '../../resolvers/shared/scope.ts'

/**
 * The identity of an object whose numbers depend on a window: its name, and what was asked for. The same URL in two
 * windows is two objects of a client's store, as its numbers differ.
 */

const day = z.iso.date()
const texts = z.array(z.string())

const askedShape = z.strictObject({
  from: day,
  to: day,
  platform: texts.optional(),
  topicId: texts.optional(),
  branded: z.boolean().optional(),
  unbranded: z.boolean().optional(),
  country: texts.optional(),
  locationId: texts.optional(),
  obtained: z.array(z.enum(waysToObtain)).optional(),
  promptId: z.string().optional(),
  domain: z.string().optional(),
  compare: z.enum(comparisons).optional(),
  slice: z
    .strictObject({ by: z.enum(slicesBy), id: z.string(), promptId: z.string().optional() })
    .optional(),
})

const shape = z.tuple([z.string(), askedShape])

/** What the id of a slice must be, where not any text is one. */
const isReadable: Partial<Record<Slice['by'], (id: string) => boolean>> = {
  topic: isUuid,
  prompt: isUuid,
  location: isUuid,
  brand: isUuid,
  url: URL.canParse,
}

export const keyAsked = (name: string, asked: Asked) => JSON.stringify([name, asked])

/** What `find` finds for a key of `keyAsked`; null for any other text. */
export async function findAsked<Found>(
  key: string,
  find: (name: string, asked: Asked) => Promise<Found>,
): Promise<Found | null> {
  const { data } = shape.safeParse(jsonIn(key))
  if (data === undefined) return null
  const [name, asked] = data
  const { slice } = asked
  if (slice && !(isReadable[slice.by]?.(slice.id) ?? true)) return null
  if (slice?.promptId !== undefined && !isUuid(slice.promptId)) return null
  return find(name, asked as Asked)
}
