import type { LRUCache } from 'lru-cache'
import type { Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import type { ProjectRecord } from '../projects/projects.ts'

/** The state of the facts that a reader sees: imports up to `load`, but for those that were cut off. */
export interface Snapshot {
  readonly load: number
  readonly dead: readonly number[]
}

/** What every resolver reads from; the same for all of one request. */
export interface RequestContext {
  readonly db: Db
  readonly warehouse: Warehouse
  readonly now: Date
  readonly cursorSecret: string
  readonly snapshots: LRUCache<string, Snapshot>
  /** Who asks; two readers never share the memory of a page walk. */
  readonly reader: string
}

/** One project that the reader may see, and the sources to read it from. */
export interface ProjectScope extends RequestContext {
  readonly project: ProjectRecord
}
