import type { Principal, StoredKey } from '../../core/access.ts'
import { readAccessNotice } from '../../core/live/events.ts'
import { ReadCache } from '../../core/load/read-cache.ts'
import type { Prepared } from '../../prisma/client.ts'
import { loadProjects, type ProjectRecord } from '../projects/projects.ts'
import { keyByHash } from './stored.sql.ts'
import { keyUses } from './uses.ts'

/** Who asks for a project. */
type Viewer = Pick<Principal, 'userId' | 'keyId'>

/** Keys and projects as the catalog has them, from memory where nothing can have changed them. */
export interface AccessCache {
  keyByHash(hash: string): Promise<StoredKey | null>
  /** Notes beside the request that the key was used. A failure is left to a later use. */
  noteUse(key: StoredKey): void
  /** As `loadProjects` gives them. */
  projects(viewer: Viewer, ids: readonly string[]): Promise<(ProjectRecord | null)[]>
  /** Forgets what a notice of PostgreSQL is about. */
  onNotice(payload: string): void
  /** Forgets all: notices may be lost. */
  forget(): void
}

/** The age that a value reaches where notices of other processes are lost, in milliseconds. */
const keysMs = 5000
/** Shorter than for keys: a project holds what its reports read. */
const projectsMs = 1000

/**
 * Reads keys, memberships and projects once for many requests. A write of this process makes all of them be read again, as a
 * notice of PostgreSQL does for the writes of other processes.
 * @param writes a count that each write of this process raises
 * @see docs/adr/0025-access-and-replies-are-kept.md
 */
export function cacheAccess(
  db: Pick<Prepared, '$queryRawUnsafe'>,
  writes: () => number,
): AccessCache {
  const keys = new ReadCache<StoredKey>({ groups: 10_000, perGroup: 1, mostMs: keysMs, writes })
  const projects = new ReadCache<ProjectRecord>({
    groups: 5000,
    perGroup: 100,
    mostMs: projectsMs,
    writes,
  })
  const forget = () => {
    keys.forgetAll()
    projects.forgetAll()
  }
  /** A project as a key sees it, by the key: a key is always of the same user. */
  const projectOf = (viewer: Viewer, id: string) =>
    projects.get(id, viewer.keyId, async () => {
      const [found] = await loadProjects(db, viewer, [id])
      return found ?? null
    })
  return {
    keyByHash: (hash) =>
      keys.get(hash, '', async () => {
        const [found] = await db.$queryRawUnsafe<StoredKey[]>(keyByHash, hash)
        return found ?? null
      }),
    noteUse: keyUses(db),
    projects: async (viewer, ids) =>
      // One statement reads a list; memory is for the project that a client asks for again and again.
      ids.length > 1
        ? loadProjects(db, viewer, ids)
        : Promise.all(ids.map((id) => projectOf(viewer, id))),
    onNotice(payload) {
      const notice = readAccessNotice(payload)
      if (notice === 'all') forget()
      else if (notice) projects.forget(notice.projectId)
    },
    forget,
  }
}
