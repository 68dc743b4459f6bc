import type { LRUCache } from 'lru-cache'
import type { Principal } from '../../core/access.ts'
import { byteCache, cacheDay } from '../../core/load/byte-cache.ts'
import { versionsOf } from '../../core/load/data-kinds.ts'
import { type SetSnapshot, watched } from '../../schema/kit/cache/watched.ts'
import type { Context, Passed, Services } from '../../schema/kit/context.ts'
import type { Operation } from './operation.ts'
import { type Reply, validatorOf } from './reply.ts'

/** A reply as bytes, with the snapshots that its request has set for later pages. */
interface CachedReply {
  readonly reply: Reply
  /** The names of the snapshots lack their start, which is the key of the request. */
  readonly snapshots: readonly SetSnapshot[]
  /** The key whose snapshots were set last, and when. */
  lastSet?: { readonly keyId: string; readonly at: number }
}

export interface ReplyCacheParts {
  readonly maxBytes: number
  /** Hears of each look-up. */
  readonly onLookup: (isKnown: boolean) => void
}

/** A request whose reply may be cached. */
export interface Asked {
  readonly operation: Pick<Operation, 'route' | 'restsOn'>
  /** The project of its path as the check of the access read it, before the reading of a reply. */
  readonly project: NonNullable<Passed['project']>
  /** All of the request that the reply depends on: path and query, and `Accept` where it chooses a format. */
  readonly target: string
}

/** A change after the check of the access gives the next request another name. */
function nameOf({ operation, project: { role, dataVersions }, target }: Asked): string {
  return `${cacheDay()} ${role} ${versionsOf(dataVersions, operation.restsOn)} ${target}`
}

/** Snapshots are kept for minutes. So a key that asks again within this time has them. */
const setAgainMs = 1000

function replay(cached: CachedReply, services: Services, { keyId }: Principal): void {
  const { snapshots, lastSet } = cached
  if (snapshots.length === 0) return
  const now = performance.now()
  if (lastSet?.keyId === keyId && now - lastSet.at < setAgainMs) return
  for (const [place, snapshot] of snapshots) services.snapshots.set(keyId + place, snapshot)
  cached.lastSet = { keyId, at: now }
}

type Client = Pick<Context, 'principal' | 'services'>

/** Makes a reply from the services given. */
export type MakeReply = (services: Services) => Promise<Reply>

/** Allowances count what all projects of a workspace use. */
const readsOtherProjects = new Set(['getUsage'])

/** Whether all that the operation reads belongs to the project of its path. */
export const isOfOneProject = ({ route, access }: Operation): boolean =>
  route.method === 'GET' &&
  access.project === 'argument' &&
  !readsOtherProjects.has(route.operationId)

/** The finished replies of this process. */
export interface Replies extends Pick<LRUCache<string, CachedReply>, 'size' | 'calculatedSize'> {
  /** The reply to a request that has passed its checks, from memory or by `make`. @throws as `make` does */
  replyTo(asked: Asked, client: Client, make: MakeReply): Promise<Reply>
  /** Forgets all. */
  forget(): void
}

/**
 * Keeps the bytes of replies under all that they depend on: role, day and target, and the versions of the data behind the
 * operation.
 * A reply with rows that may change without a version is not cached. Equal requests at the same time share one reading.
 * @see docs/adr/0025-access-and-replies-are-kept.md
 */
export function cacheReplies({ maxBytes, onLookup }: ReplyCacheParts): Replies {
  const cache = byteCache<CachedReply>(maxBytes, ({ reply }) => reply.body.length)

  /** Replies that are being made, by name. Each becomes undefined where it may serve its own request alone. */
  const underway = new Map<string, Promise<CachedReply | undefined>>()
  /** Operations that have read rows which may change without a version: their requests share no reading. */
  const changeable = new Set<string>()

  return {
    get size() {
      return cache.size
    },
    get calculatedSize() {
      return cache.calculatedSize
    },
    forget() {
      cache.clear()
      underway.clear()
    },
    async replyTo(asked, { principal, services }, make) {
      const { operationId } = asked.operation.route
      const name = nameOf(asked)
      const hit = cache.get(name)
      onLookup(hit !== undefined)
      const isShared = !changeable.has(operationId)
      const begun = hit === undefined && isShared ? underway.get(name) : undefined
      // Nothing is awaited before a reading is named: requests that come together would all miss it.
      const found = begun ? await begun : hit
      if (found !== undefined) {
        replay(found, services, principal)
        return found.reply
      }
      const { isSettled, snapshots, services: watching } = watched(services)
      const making = make(watching)
      const cached = making.then(
        (reply): CachedReply | undefined => {
          if (!isSettled()) changeable.add(operationId)
          if (!isSettled() || reply.status !== 200) return undefined
          const body = Buffer.from(reply.body)
          const finished = { ...reply, body, validator: validatorOf(reply, body) }
          const start = principal.keyId.length
          const set = snapshots.map(([key, snapshot]) => [key.slice(start), snapshot] as const)
          return { reply: finished, snapshots: set }
        },
        () => undefined,
      )
      underway.set(name, cached)
      const made = await cached
      if (underway.get(name) === cached) underway.delete(name)
      if (made) cache.set(name, made)
      return made ? made.reply : making
    },
  }
}
