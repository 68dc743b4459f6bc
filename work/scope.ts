import { LRUCache } from 'lru-cache'
import { loadProjects } from '../resolvers/projects/projects.ts'
import type { ProjectScope, RequestContext, Snapshot } from '../resolvers/shared/scope.ts'

/** A user who is a member of nothing: a worker reads for no one. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** A project as reports read it; null when the project is gone. */
export async function projectScope(
  { db, warehouse, cursorSecret }: Pick<RequestContext, 'db' | 'warehouse' | 'cursorSecret'>,
  projectId: string,
  now: Date,
): Promise<ProjectScope | null> {
  const [project] = await loadProjects(db, nobody, [projectId])
  if (!project) return null
  const snapshots = new LRUCache<string, Snapshot>({ max: 1 })
  return { db, warehouse, now, cursorSecret, snapshots, reader: 'worker', project }
}
