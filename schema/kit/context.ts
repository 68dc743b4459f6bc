import DataLoader from 'dataloader'
import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Principal } from '../../core/access.ts'
import type { Catalog } from '../../prisma/client.ts'
import { loadLocations } from '../../resolvers/locations.ts'
import {
  loadPlatforms,
  loadProjects,
  type PlatformSummary,
  type ProjectRecord,
} from '../../resolvers/projects/projects.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectScope, Snapshot, Sources } from '../../resolvers/shared/scope.ts'
import { loadTopics, type TopicSummary } from '../../resolvers/topics/topics.ts'
import { loadTopicPrompts, type TopicPrompts } from '../../resolvers/visibility/lists.ts'
import { loadWorkspaces } from '../../resolvers/workspaces.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import type { AccessRule } from './access-rule.ts'

/** What the service runs on, the same for every request. */
export interface Services {
  readonly db: Catalog
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  readonly cursorSecret: string
  /** The first signs ingest keys and site tokens; all of them are accepted. */
  readonly signingSecrets: readonly [string, ...string[]]
  readonly snapshots: LRUCache<string, Snapshot>
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
}

/** Who makes the changes that the request asks for. */
export function actorOf({ principal: { userId, keyId } }: Context): Actor {
  return { userId, keyId }
}

type LocationRow = Awaited<ReturnType<typeof loadLocations>>[number][number]

type WorkspaceRow = Awaited<ReturnType<typeof loadWorkspaces>>[number]

interface Loaders {
  readonly sources: Sources
  readonly project: DataLoader<string, ProjectRecord | null>
  readonly workspace: DataLoader<string, WorkspaceRow>
  readonly topics: DataLoader<string, TopicSummary[]>
  readonly topicPrompts: DataLoader<string, TopicPrompts[]>
  readonly locations: DataLoader<string, LocationRow[]>
  readonly platforms: DataLoader<string, PlatformSummary[]>
  readonly scopes: Map<string, Promise<ProjectScope>>
}

const loadersOf = new WeakMap<Context, Loaders>()

/** The loaders of one request. Each batches by project id. */
export function loaders(context: Context): Loaders {
  const existing = loadersOf.get(context)
  if (existing) return existing
  const { services, principal } = context
  const { db } = services
  const made: Loaders = {
    sources: {
      db,
      warehouse: services.warehouse,
      now: new Date(),
      cursorSecret: services.cursorSecret,
      snapshots: services.snapshots,
      reader: principal.keyId,
    },
    project: new DataLoader((ids) => loadProjects(db, principal.userId, ids)),
    workspace: new DataLoader((ids) => loadWorkspaces(db, ids)),
    topics: new DataLoader((ids) => loadTopics(db, ids)),
    topicPrompts: new DataLoader((ids) => loadTopicPrompts(db, ids)),
    locations: new DataLoader((ids) => loadLocations(db, ids)),
    platforms: new DataLoader((ids) => loadPlatforms(db, ids)),
    scopes: new Map(),
  }
  loadersOf.set(context, made)
  return made
}
