import { z } from 'zod'
import { openCursor, peekCursor } from '../../../core/pagination.ts'
import { currentSnapshot } from '../../../resolvers/shared/lists/snapshot.ts'
import type { ProjectScope, RequestContext } from '../../../resolvers/shared/scope.ts'

/** Where a page of a connection begins, and the time and the data that its first page showed. */
const placeShape = z.object({
  offset: z.number(),
  nowMs: z.number(),
  load: z.number().optional(),
  dead: z.array(z.number()).optional(),
  /** The sort values of the row before, in a list of the catalog. */
  key: z.array(z.union([z.string(), z.number()])).optional(),
})

const timeShape = z.object({ nowMs: z.number() })

type Place = z.infer<typeof placeShape>

const ofConnection = { argument: 'after', origin: 'a cursor of a list', list: 'list' } as const

/**
 * The place in a cursor of the same list, which `listAt` names as of the time of its first page.
 * @throws {Fault} `invalid_argument` that names `after`
 */
export function openPlace(secret: string, after: string, listAt: (now: Date) => string): Place {
  // The days of a window depend on the time of the first page, which the cursor has.
  const { nowMs } = timeShape.safeParse(peekCursor(secret, after)).data ?? { nowMs: Date.now() }
  const position = openCursor(secret, listAt(new Date(nowMs)), after, ofConnection)
  return placeShape.parse(position)
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
