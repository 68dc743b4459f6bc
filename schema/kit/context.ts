import DataLoader from 'dataloader'
import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Principal } from '../../core/access.ts'
import type { Fault } from '../../core/errors.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { Live } from '../../resolvers/live/live.ts'
import { loadLocations } from '../../resolvers/locations.ts'
import { loadPlatforms, loadProjects } from '../../resolvers/projects/projects.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectScope, RequestContext, Snapshot } from '../../resolvers/shared/scope.ts'
import { loadTopics } from '../../resolvers/topics/topics.ts'
import { loadTopicPrompts } from '../../resolvers/visibility/breakdowns.ts'
import { loadWorkspaces } from '../../resolvers/workspaces.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import type { AccessRule } from './access-rule.ts'

/** What the service runs on, the same for every request. */
export interface Services {
  readonly db: Catalog
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  /** The URL of the API for clients, without a slash at the end. */
  readonly baseUrl: string
  readonly cursorSecret: string
  /** The first signs ingest keys and site tokens; all of them are accepted. */
  readonly signingSecrets: readonly [string, ...string[]]
  readonly snapshots: LRUCache<string, Snapshot>
  /** ALLOW_PRIVATE_HOSTS. */
  readonly privateHosts: readonly PrivateHost[]
  readonly live: Live
  readonly log: Logger
}

/** The context of a resolver. The plugins add everything but `services`, or refuse the request. */
export interface Context {
  readonly requestId: string
  readonly principal: Principal
  /** @throws {Fault} `not_found`, `forbidden`, `missing_scope` */
  authorize(context: Context, rule: AccessRule, subject: unknown): Promise<void>
  readonly services: Services
  /** The values of the `If-Match` header. */
  readonly ifMatch?: readonly string[]
  /** What a plugin refuses a mutation with, before the mutation runs. */
  readonly refusal?: Fault
  /** Called when a mutation answers with a problem. */
  onProblem?(): void
}

/** Who makes the changes that the request asks for. */
export function actorOf({ principal: { userId, keyId } }: Context): Actor {
  return { userId, keyId }
}

/** Values that one request keeps between its fields. They go when the request does. */
const requestCaches = new WeakMap<Context, Map<unknown, unknown>>()

/** Gives a function that makes its value once per request, when a field first needs it. */
export function oncePerRequest<Value>(make: (context: Context) => Value) {
  return (context: Context): Value => {
    const cache = requestCaches.get(context) ?? new Map<unknown, unknown>()
    requestCaches.set(context, cache)
    if (!cache.has(make)) cache.set(make, make(context))
    return cache.get(make) as Value
  }
}

/** The stores and the time that all reports of one request read. */
export const sourcesOf = oncePerRequest(
  ({ services: { db, warehouse, cursorSecret, snapshots }, principal }): RequestContext => ({
    db,
    warehouse,
    now: new Date(),
    cursorSecret,
    snapshots,
    reader: principal.keyId,
    filters: new Map(),
  }),
)

/** The projects that one request has reached, by id. */
export const projectScopes = oncePerRequest(() => new Map<string, Promise<ProjectScope>>())

/** Loaders by project id; `workspace` by workspace id. */
export const loaders = oncePerRequest(({ services: { db }, principal }) => ({
  project: new DataLoader((ids: readonly string[]) => loadProjects(db, principal, ids)),
  workspace: new DataLoader((ids: readonly string[]) => loadWorkspaces(db, ids)),
  topics: new DataLoader((ids: readonly string[]) => loadTopics(db, ids)),
  topicPrompts: new DataLoader((ids: readonly string[]) => loadTopicPrompts(db, ids)),
  locations: new DataLoader((ids: readonly string[]) => loadLocations(db, ids)),
  platforms: new DataLoader((ids: readonly string[]) => loadPlatforms(db, ids)),
}))
