import type DataLoader from 'dataloader'
import type { LRUCache } from 'lru-cache'
import type { Obtained } from '../../core/collecting/obtained.ts'
import type { Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import type { ProjectRecord } from '../projects/projects.ts'
import type { ByteBudget } from './lists/budget.ts'

/** The imports that a reader sees: all up to `load`, except the incomplete ones in `dead`. */
export interface Snapshot {
  readonly load: number
  readonly dead: readonly number[]
}

/** The snapshots of lists by offset, for their later pages. */
export type Snapshots = Pick<LRUCache<string, Snapshot>, 'get'> & {
  set(key: string, snapshot: Snapshot): unknown
}

/** What is read together, by report and arguments. */
export type Batches = Map<string, DataLoader<unknown, unknown, unknown>>

/** The stores and settings of one request. */
export interface RequestContext {
  readonly db: Db
  readonly warehouse: Warehouse
  readonly now: Date
  readonly cursorSecret: string
  readonly snapshots: Snapshots
  /** Identifies the client. Clients never share remembered snapshots. */
  readonly reader: string
  /** What the response may still take. A job has none: its rows go into no response. */
  readonly bytes?: ByteBudget
  /** The filters that this request has read. A job has none: each of its reports reads filters. */
  readonly filters?: Map<string, Promise<unknown>>
  /** What the parts of the request read together. */
  readonly batches: Batches
  /** Only answers that were obtained so, in each report whose own filter names no way. Absent for all answers. */
  readonly obtained?: readonly Obtained[]
}

const sliceDimensions = ['topic', 'prompt', 'platform', 'location'] as const

/** Answers that cite a URL or a domain, that name a brand, or that searched for a sub-query. */
const answerSets = ['url', 'domain', 'brand', 'query'] as const

export const slicesBy = [...sliceDimensions, ...answerSets] as const

/** The projects of some objects, each once. */
export const scopesOf = (owned: readonly { readonly scope: ProjectScope }[]): ProjectScope[] => [
  ...new Map(owned.map(({ scope }) => [scope.project.id, scope])).values(),
]

/** The answers of a project that belong to one topic, prompt, AI platform, location or set of answers. */
export interface Slice {
  readonly by: (typeof slicesBy)[number]
  readonly id: string
  /** Only the answers to this prompt, of a set of answers. */
  readonly promptId?: string
}

/** A project that the client may read, with the stores to read it from. */
export interface ProjectScope extends RequestContext {
  readonly project: ProjectRecord
  /** The part of the project that a report is about; absent for the whole project. */
  readonly slice?: Slice
  /** The snapshot that a cursor continues; absent for the current snapshot. */
  readonly pinned?: Snapshot
}
