import type { CheckId } from '../../core/checks/checks.ts'
import { type ScoredPage, type ScoreLoss, scoreBreakdown } from '../../core/checks/scores.ts'
import { notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import { refusePitch } from '../shared/runnable.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { auditProgress, countedChecks, countedOfSite, newestJudging } from './audits.sql.ts'

type Row = NonNullable<Awaited<ReturnType<Db['audit']['findFirst']>>>

/** Scores of pages, 0 to 100. */
export interface AuditScores {
  readonly overall: number
  readonly technical: number
  readonly content: number
  readonly aiReadiness: number
}

/** An audit. What was read of the site stays inside. */
export interface Audit extends Omit<Row, 'scores' | 'site' | 'seq'> {
  readonly scores: AuditScores | null
}

export type AuditState = Audit['status']

export interface AuditListArgs extends PageArgs {
  readonly status?: Choice<AuditState>
}

export function auditOf({ site: _site, seq: _seq, scores, ...row }: Row): Audit {
  return { ...row, scores: scores as AuditScores | null }
}

const order = [
  ['createdAt', 'desc'],
  ['id', 'asc'],
] as const

/**
 * A page of the audits of a project, newest first.
 * @throws {Fault} `pitch_not_supported`
 */
export async function audits(
  scope: ProjectScope,
  { status, limit, offset, afterKey }: AuditListArgs,
) {
  const { db, project } = scope
  refusePitch(project)
  const statuses = chosen(status)
  const where = { projectId: project.id, ...(statuses && { status: { in: [...statuses] } }) }
  const [rows, total] = await Promise.all([
    db.audit.findMany({
      where: { ...where, ...followsRow(order, afterKey) },
      orderBy: order.map(([name, direction]) => ({ [name]: direction })),
      omit: { site: true },
      take: limit,
      skip: offset,
    }),
    db.audit.count({ where }),
  ])
  return {
    scope,
    audits: rows.map((row) => auditOf({ ...row, site: null })),
    pagination: pagination({ limit, offset }, rows.length, total),
  }
}

/**
 * One audit.
 * @throws {Fault} `pitch_not_supported`, `not_found`
 */
export async function audit({ db, project }: ProjectScope, auditId: string): Promise<Audit> {
  refusePitch(project)
  const where = { id: auditId, projectId: project.id }
  const found = isUuid(auditId) ? await db.audit.findUnique({ where, omit: { site: true } }) : null
  if (!found) throw notFound()
  return auditOf({ ...found, site: null })
}

/** How many pages of an audit are no longer queued. */
export interface AuditProgress {
  readonly done: number
  readonly total: number
}

/** The progress of audits, counted from their pages, in the order of `all`. */
export async function progressOf(db: Db, all: readonly Audit[]): Promise<AuditProgress[]> {
  const ids = all.map(({ id }) => id)
  const rows = await db.$queryRawUnsafe<{ id: string; queued: number }[]>(auditProgress, ids)
  const queued = new Map(rows.map((row) => [row.id, row.queued]))
  return all.map(({ id, pageCount }) => ({
    done: pageCount - (queued.get(id) ?? 0),
    total: pageCount,
  }))
}

/** The newest completed audit that judged each page, in the order of `pageIds`. */
export async function latestAudits(db: Db, pageIds: readonly string[]): Promise<(Audit | null)[]> {
  const judged = await db.$queryRawUnsafe<{ pageId: string; auditId: string }[]>(
    newestJudging,
    pageIds,
  )
  const found = await auditsById(
    db,
    judged.map(({ auditId }) => auditId),
  )
  const byPage = new Map(judged.map(({ pageId }, i) => [pageId, found[i]]))
  return pageIds.map((id) => byPage.get(id) ?? null)
}

/** The points that each check costs the overall score of each completed audit, the most first. */
export async function breakdownsOf(db: Db, all: readonly Audit[]): Promise<ScoreLoss[][]> {
  const ids = all.flatMap(({ id, status }) => (status === 'completed' ? [id] : []))
  const [pages, sites] = await Promise.all([
    db.$queryRawUnsafe<(ScoredPage & { auditId: string })[]>(countedChecks, ids),
    db.$queryRawUnsafe<{ id: string; counted: CheckId[] }[]>(countedOfSite, ids),
  ])
  const byAudit = Map.groupBy(pages, ({ auditId }) => auditId)
  const ofSite = new Map(sites.map(({ id, counted }) => [id, counted]))
  return all.map(({ id }) => scoreBreakdown(byAudit.get(id) ?? [], ofSite.get(id) ?? []))
}

/** Audits by id, in order; null where unknown. Callers reach the ids through a project of the reader. */
export async function auditsById(db: Db, ids: readonly string[]): Promise<(Audit | null)[]> {
  const rows = await db.audit.findMany({ where: { id: { in: [...ids] } }, omit: { site: true } })
  const byId = new Map(rows.map((row) => [row.id, auditOf({ ...row, site: null })]))
  return ids.map((id) => byId.get(id) ?? null)
}
