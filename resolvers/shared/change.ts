import { Fault, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits, type SubjectType } from './audit-trail.ts'
import { refuseSharedNames } from './names/refuse-shared.ts'
import { inTransaction, isUniqueClash } from './transaction.ts'

/** The result of a change to a workspace. */
export interface WorkspaceChangeResult {
  /** The changed row, or the row that needed no change. */
  readonly subjectId: string
  /** False when the change wrote nothing. */
  readonly changed: boolean
}

/** The result of a change to a project. */
export interface ProjectChangeResult {
  /** The changed row, or the row that needed no change. */
  readonly subjectId: string
  /** False when the change wrote nothing. */
  readonly changed: boolean
  /** Whether the tracked brands differ from those of the stored analysis. */
  readonly needsReanalysis: boolean
}

/** The edits made to a subject; empty when nothing changed. */
export interface SubjectEdits {
  readonly subjectId: string
  readonly edits: readonly Edit[]
}

export interface LockedProject {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly domain: string
  readonly kind: 'regular' | 'pitch'
  readonly status: 'active' | 'paused' | 'archived'
  readonly isActive: boolean
  readonly description: string | null
  readonly industry: string | null
  readonly caseSensitive: boolean | null
  readonly excludedPhrases: string[]
}

const brandSubjects = new Set<SubjectType>([
  'brandAlias',
  'ownDomain',
  'competitor',
  'competitorAlias',
])

/** Whether the edit changes the names or domains that answers are analysed for. */
function touchesBrands({ subject: [type], before, after }: Edit): boolean {
  if (type !== 'project' || !before || !after) return brandSubjects.has(type)
  return ['name', 'domain', 'caseSensitive', 'excludedPhrases'].some((field) => field in after)
}

const touchesProfile = ({ action, subject: [type] }: Edit) =>
  type === 'brandAlias' || type === 'ownDomain' || action === 'project.update'

/** Names of a project that answers are searched for: each costs memory and time in every import. */
const mostNames = 1000

const countedNames = `
SELECT (SELECT count(*) FROM "BrandAlias" WHERE "projectId" = $1::uuid)
     + (SELECT count(*) FROM "OwnDomain" WHERE "projectId" = $1::uuid)
     + (SELECT count(*) FROM "Competitor" WHERE "projectId" = $1::uuid)
     + (SELECT count(*) FROM "CompetitorAlias" a JOIN "Competitor" c ON c.id = a."competitorId"
         WHERE c."projectId" = $1::uuid) AS names`

const addsName = ({ subject: [type], before }: Edit) => brandSubjects.has(type) && !before

/** @throws {Fault} `invalid_argument` where a project has more names than it may */
export async function refuseManyNames(tx: Db, projectId: string): Promise<void> {
  const [counted] = await tx.$queryRawUnsafe<{ names: bigint }[]>(countedNames, projectId)
  if (Number(counted?.names ?? 0) <= mostNames) return
  const message = `A project has at most ${mostNames} competitors, aliases and domains.`
  throw new Fault('invalid_argument', message)
}

async function lockProject(tx: Db, id: string): Promise<LockedProject> {
  // Not FOR UPDATE: it would block imports, whose new prompts reference the project's key.
  const [project] = await tx.$queryRaw<LockedProject[]>`
    SELECT id, "workspaceId", name, domain, kind::text, status::text, "isActive", description, industry,
           "caseSensitive", coalesce("excludedPhrases", '{}') AS "excludedPhrases"
      FROM "Project" WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  if (!project) throw notFound(id)
  return project
}

/** A concurrent writer, such as an import, may create the same row: the second attempt finds it. */
async function retryOnClash<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!isUniqueClash(error)) throw error
    return attempt()
  }
}

/**
 * Changes a project under its lock, and writes the audit trail in the same transaction.
 * @throws {Fault} `not_found` for the project, and the faults of `work`
 */
export async function changeProject<Result extends SubjectEdits>(
  db: Db,
  actor: Actor,
  projectId: string,
  work: (tx: Db, project: LockedProject) => Promise<Result>,
): Promise<Omit<Result, 'edits'> & ProjectChangeResult> {
  if (!isUuid(projectId)) throw notFound(projectId)
  const attempt = () =>
    inTransaction(db, async (tx) => {
      const project = await lockProject(tx, projectId)
      const made = await work(tx, project)
      const { id, workspaceId } = project
      if (made.edits.some(addsName)) await refuseManyNames(tx, id)
      await refuseSharedNames(tx, id, made.edits)
      if (made.edits.some(touchesProfile)) {
        await tx.project.update({ where: { id }, data: { profileUpdatedAt: new Date() } })
      }
      await recordEdits(tx, actor, { workspaceId, projectId: id }, made.edits)
      return made
    })
  const { edits, ...rest } = await retryOnClash(attempt)
  const needsReanalysis = edits.some(touchesBrands)
  return { ...rest, changed: edits.length > 0, needsReanalysis }
}

/**
 * Changes a workspace, its members or keys under its lock, and writes the audit trail in the same transaction.
 * @throws {Fault} `not_found` for the workspace, and the faults of `work`
 */
export async function changeWorkspace<Result extends SubjectEdits>(
  db: Db,
  actor: Actor,
  workspaceId: string,
  work: (tx: Db) => Promise<Result>,
): Promise<Omit<Result, 'edits'> & { changed: boolean }> {
  if (!isUuid(workspaceId)) throw notFound(workspaceId)
  const attempt = () =>
    inTransaction(db, async (tx) => {
      const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM "Workspace" WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`
      if (locked.length === 0) throw notFound(workspaceId)
      const made = await work(tx)
      await recordEdits(tx, actor, { workspaceId }, made.edits)
      return made
    })
  const { edits, ...rest } = await retryOnClash(attempt)
  return { ...rest, changed: edits.length > 0 }
}
