import { z } from 'zod'
import { openCursor } from '../../core/pagination.ts'
import type { ProjectScope, RequestContext } from '../../resolvers/shared/scope.ts'
import { currentSnapshot } from '../../resolvers/shared/snapshot.ts'

/** Where a page of a connection begins, and the time and the data that its first page showed. */
const placeShape = z.object({
  offset: z.number(),
  nowMs: z.number(),
  load: z.number().optional(),
  dead: z.array(z.number()).optional(),
})

type Place = z.infer<typeof placeShape>

const ofConnection = { argument: 'after', origin: 'a cursor of a list', list: 'list' } as const

/**
 * The place in a cursor of the same list.
 * @throws {Fault} `invalid_argument` that names `after`
 */
export function openPlace(secret: string, list: string, after: string): Place {
  const place = placeShape.safeParse(openCursor(secret, list, after, ofConnection))
  return place.data as Place
}

/** The place before the row of this number, from 0, in a list that shows `scope`. */
export function placeIn(scope: RequestContext | ProjectScope, offset: number): Place {
  const place = { offset, nowMs: scope.now.getTime() }
  if (!('project' in scope)) return place
  const { load, dead } = currentSnapshot(scope)
  return { ...place, load, dead: [...dead] }
}

/** The scope as the first page of the list saw it: the same days, the same data. */
export function scopeAt<Scope extends RequestContext>(
  scope: Scope,
  { nowMs, load, dead }: Place,
): Scope {
  const pinned = load !== undefined && dead ? { pinned: { load, dead } } : {}
  return { ...scope, now: new Date(nowMs), ...pinned }
}
