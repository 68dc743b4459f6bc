import { notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits, type SubjectType } from './audit-trail.ts'
import { isUuid } from './ids.ts'
import { inTransaction, isUniqueClash } from './transaction.ts'

/** The result of a change to a workspace. */
export interface WorkspaceChangeResult {
  /** The changed row, or the row that needed no change. */
  readonly subjectId: string
  /** False when the change wrote nothing. */
  readonly changed: boolean
}

/** What came of a change. */
export interface ProjectChangeResult {
  /** What was changed, or stands as it should already. */
  readonly subjectId: string
  /** False when everything was so already: nothing was written then. */
  readonly changed: boolean
  /** Whether answers loaded before were searched for other brands than those tracked now. */
  readonly needsReanalysis: boolean
}

/** The edits that were made to a subject; none when it was so already. */
export interface SubjectEdits {
  readonly subjectId: string
  readonly edits: readonly Edit[]
}

export interface LockedProject {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly domain: string
  readonly kind: string
  readonly status: 'active' | 'paused' | 'archived'
  readonly isActive: boolean
  readonly description: string | null
  readonly industry: string | null
}

const brandSubjects = new Set<SubjectType>([
  'brandAlias',
  'ownDomain',
  'competitor',
  'competitorAlias',
])

/** Whether answers would be searched for other names or domains than before. */
function touchesBrands({ subject: [type], before, after }: Edit): boolean {
  if (type !== 'project' || !before || !after) return brandSubjects.has(type)
  return 'name' in after || 'domain' in after
}

const touchesProfile = ({ action, subject: [type] }: Edit) =>
  type === 'brandAlias' || type === 'ownDomain' || action === 'project.update'

async function lockProject(tx: Db, id: string): Promise<LockedProject> {
  // Not FOR UPDATE: an import adds prompts to the project meanwhile, whose foreign keys lock its key.
  const [project] = await tx.$queryRaw<LockedProject[]>`
    SELECT id, "workspaceId", name, domain, kind::text, status::text, "isActive", description, industry
      FROM "Project" WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  if (!project) throw notFound()
  return project
}

/** Another writer, such as an import, may make the same row meanwhile: the second try finds it there. */
async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!isUniqueClash(error)) throw error
    return attempt()
  }
}

/**
 * Changes a project, one change at a time, and writes what was done to the audit trail, together or not
 * at all.
 * @throws {Fault} `not_found` for the project, and what `work` throws
 */
export async function changeProject<Result extends SubjectEdits>(
  db: Db,
  actor: Actor,
  projectId: string,
  work: (tx: Db, project: LockedProject) => Promise<Result>,
): Promise<Omit<Result, 'edits'> & ProjectChangeResult> {
  if (!isUuid(projectId)) throw notFound()
  const attempt = () =>
    inTransaction(db, async (tx) => {
      const project = await lockProject(tx, projectId)
      const made = await work(tx, project)
      const { id, workspaceId } = project
      if (made.edits.some(touchesProfile)) {
        await tx.project.update({ where: { id }, data: { profileUpdatedAt: new Date() } })
      }
      await recordEdits(tx, actor, { workspaceId, projectId: id }, made.edits)
      return made
    })
  const { edits, ...rest } = await twice(attempt)
  const needsReanalysis = edits.some(touchesBrands)
  return { ...rest, changed: edits.length > 0, needsReanalysis }
}

/**
 * Changes a workspace, its members or keys, one change at a time, together with the audit trail.
 * @throws {Fault} `not_found` for the workspace, and what `work` throws
 */
export async function changeWorkspace<Result extends SubjectEdits>(
  db: Db,
  actor: Actor,
  workspaceId: string,
  work: (tx: Db) => Promise<Result>,
): Promise<Omit<Result, 'edits'> & { changed: boolean }> {
  if (!isUuid(workspaceId)) throw notFound()
  const attempt = () =>
    inTransaction(db, async (tx) => {
      const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM "Workspace" WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`
      if (locked.length === 0) throw notFound()
      const made = await work(tx)
      await recordEdits(tx, actor, { workspaceId }, made.edits)
      return made
    })
  const { edits, ...rest } = await twice(attempt)
  return { ...rest, changed: edits.length > 0 }
}
