import { LRUCache } from 'lru-cache'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { loadProjects, type ProjectRecord } from '../projects/projects.ts'
import type { ProjectScope, RequestContext, Snapshot } from './scope.ts'

const nil = '00000000-0000-0000-0000-000000000000'

/** A user who is a member of nothing: a job reads for no one. */
const nobody = { userId: nil, keyId: nil }

/** The project for a job or a command, which act for no user; null when the project is unknown or deleted. */
export async function projectOfJob(db: Db, projectId: string): Promise<ProjectRecord | null> {
  if (!isUuid(projectId)) return null
  const [project] = await loadProjects(db, nobody, [projectId])
  return project ?? null
}

/**
 * The scope of a project for a job; null when the project is unknown or deleted. A job reads no second page of any
 * list, so that its cursors need no secret.
 */
export async function jobScope(
  { db, warehouse }: Pick<RequestContext, 'db' | 'warehouse'>,
  projectId: string,
  now: Date,
): Promise<ProjectScope | null> {
  const project = await projectOfJob(db, projectId)
  if (!project) return null
  const snapshots = new LRUCache<string, Snapshot>({ max: 10 })
  const reads = { snapshots, batches: new Map() }
  return { db, warehouse, project, now, cursorSecret: '', ...reads, reader: 'worker' }
}
