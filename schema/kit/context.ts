import DataLoader from 'dataloader'
import type { GraphQLSchema } from 'graphql'
import type { Logger } from 'pino'
import type { Principal } from '../../core/access.ts'
import type { Obtained } from '../../core/collecting/obtained.ts'
import type { Fault } from '../../core/errors.ts'
import type { RequestWork } from '../../core/load/work.ts'
import type { Notice } from '../../core/notices.ts'
import type { Retention } from '../../core/retention.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { AccessCache } from '../../resolvers/keys/access-cache.ts'
import type { Live } from '../../resolvers/live/live.ts'
import { loadLocations } from '../../resolvers/locations.ts'
import {
  loadPlatforms,
  loadProjects,
  type ProjectRecord,
} from '../../resolvers/projects/projects.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { byteBudget } from '../../resolvers/shared/lists/budget.ts'
import type {
  Batches,
  ProjectScope,
  RequestContext,
  Snapshots,
} from '../../resolvers/shared/scope.ts'
import { loadTopics } from '../../resolvers/topics/topics.ts'
import { loadTopicPrompts } from '../../resolvers/visibility/breakdowns.ts'
import { loadWorkspaces } from '../../resolvers/workspaces.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import type { Reader } from '../../warehouse/readers.ts'
import type { AccessRule } from './access-rule.ts'

/** What the service runs on, the same for every request. */
export interface Services {
  readonly db: Catalog
  /** Projects for requests that read outside a transaction. Absent: each request reads them. */
  readonly projects?: CachedProjects
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  /** The warehouse for the reports of a key. */
  readonly warehouseFor: (reader: Reader) => Warehouse
  /** The URL of the API for clients, without a slash at the end. */
  readonly baseUrl: string
  /** Whether people connect AI clients by signing in. Absent: they do not. */
  readonly connectsClients?: boolean
  /** The URL of the tracker for the servers of sites, without a slash at the end. */
  readonly trackerUrl: string
  readonly cursorSecret: string
  /** The first signs ingest keys and site tokens; all of them are accepted. */
  readonly signingSecrets: readonly [string, ...string[]]
  readonly snapshots: Snapshots
  /** ALLOW_PRIVATE_HOSTS. */
  readonly privateHosts: readonly PrivateHost[]
  /** Stands in the place of Google's addresses. */
  readonly googleUrl?: string | undefined
  /** Stands in the place of Bing's address. */
  readonly bingUrl?: string | undefined
  /** How long the worker keeps data. */
  readonly retention: Retention
  /** The mail server and the sender; null where the service sends no mail. */
  readonly mail: { readonly url: string; readonly from: string } | null
  readonly live: Live
  /** The graph, in which a planned change runs. */
  readonly schema?: GraphQLSchema
  /** The bytes that the rows of a response may have. */
  readonly maxResponseBytes: number
  readonly log: Logger
}

/** Projects from memory, as the catalog `db` has them: a transaction reads its own. */
export interface CachedProjects {
  readonly db: Catalog
  readonly load: AccessCache['projects']
}

/** What REST has checked before it runs the field of an operation. */
export interface Passed {
  /** The guard of the field, which checks neither access nor arguments again. */
  readonly guard: unknown
  /** The catalog that the access was checked in: a transaction checks it again. */
  readonly db: Catalog
  /** The project of the path; absent for an operation about none. */
  readonly project?: ProjectRecord | undefined
}

/** The context of a resolver. The plugins add everything but `services`, or refuse the request. */
export interface Context {
  readonly requestId: string
  readonly principal: Principal
  /** @throws {Fault} `not_found`, `forbidden`, `missing_scope` */
  authorize(context: Context, rule: AccessRule, subject: unknown): Promise<void>
  readonly services: Services
  /** Absent where the guards of the schema check all. */
  readonly passed?: Passed
  /** Only answers that were obtained so; absent for all. The command line narrows reports of REST by it. */
  readonly obtained?: readonly Obtained[]
  /** The values of the `If-Match` header. */
  readonly ifMatch?: readonly string[]
  /** Waits for the memory that large rows need; absent where nothing bounds it. */
  readonly requestState?: { hold?(bytes: number): Promise<void> }
  /** What the request makes in memory; absent where nothing bounds it. */
  readonly work?: RequestWork
  /** What fields say about their answers, each once; absent where no client sees it. */
  readonly notices?: Map<string, Notice>
  /** What a plugin refuses a mutation with, before the mutation runs. */
  readonly refusal?: Fault
  /** Called when a mutation answers with a problem, with the fault that it stands for. */
  onProblem?(fault: Fault): void
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

/** What the fields of one request read together. */
export const batchesOf = oncePerRequest((): Batches => new Map())

/** The stores and the time that all reports of one request read. */
export const sourcesOf = oncePerRequest((context: Context): RequestContext => {
  const { services, principal, requestState } = context
  const { db, warehouseFor, cursorSecret, snapshots, maxResponseBytes } = services
  return {
    bytes: byteBudget(maxResponseBytes, requestState?.hold),
    db,
    // The work begins after the checks, which may have read already.
    warehouse: { ...warehouseFor(principal), onRows: (bytes) => context.work?.count(bytes) },
    now: new Date(),
    cursorSecret,
    snapshots,
    reader: principal.keyId,
    filters: new Map(),
    batches: batchesOf(context),
    ...(context.obtained && { obtained: context.obtained }),
  }
})

/** The projects that one request has reached, by id. */
export const projectScopes = oncePerRequest(() => new Map<string, Promise<ProjectScope>>())

/** A loader that has one row already. */
function primed<Row extends { readonly id: string }>(
  loader: DataLoader<string, Row | null>,
  row: Row | undefined,
) {
  return row ? loader.prime(row.id, row) : loader
}

/** Loaders by project id; `workspace` by workspace id. */
export const loaders = oncePerRequest(({ services: { db, projects }, principal, passed }) => ({
  project: primed(
    new DataLoader((ids: readonly string[]) =>
      projects?.db === db ? projects.load(principal, ids) : loadProjects(db, principal, ids),
    ),
    passed?.db === db ? passed.project : undefined,
  ),
  workspace: new DataLoader((ids: readonly string[]) => loadWorkspaces(db, ids)),
  topics: new DataLoader((ids: readonly string[]) => loadTopics(db, ids)),
  topicPrompts: new DataLoader((ids: readonly string[]) => loadTopicPrompts(db, ids)),
  locations: new DataLoader((ids: readonly string[]) => loadLocations(db, ids)),
  platforms: new DataLoader((ids: readonly string[]) => loadPlatforms(db, ids)),
}))
