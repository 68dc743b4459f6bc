import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import {
  firstKeptDays,
  type KeptKind,
  keptKinds,
  type Retention,
  shorter,
} from '../../core/retention.ts'
import type { Db } from '../../prisma/client.ts'
import type { Workspace } from '../../prisma/generated/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { run } from '../../warehouse/run.ts'
import { type Actor, difference } from '../shared/audit-trail.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check } from '../shared/inputs.ts'
import { type CountedKind, countedKinds, olderAudits, olderRows } from './retention.sql.ts'

const columns = {
  answers: 'keepAnswersDays',
  crawlerHits: 'keepCrawlerHitsDays',
  analytics: 'keepAnalyticsDays',
  pageContents: 'keepPageContentsDays',
  audits: 'keepAuditsDays',
  auditTrail: 'keepAuditTrailDays',
} as const satisfies Record<KeptKind, keyof Workspace>

type Limited = Pick<Workspace, (typeof columns)[KeptKind]>

/** The limits that a workspace has set itself. */
export const ownRetention = (workspace: Limited): Retention =>
  Object.fromEntries(keptKinds.map((kind) => [kind, workspace[columns[kind]]])) as Record<
    KeptKind,
    number | null
  >

const columnsOf = (retention: Retention) =>
  Object.fromEntries(keptKinds.map((kind) => [columns[kind], retention[kind]])) as Record<
    (typeof columns)[KeptKind],
    number | null
  >

/** Workspaces that have set limits of their own, with their projects. */
export async function loadOwnRetentions(db: Db) {
  const rows = await db.workspace.findMany({
    where: {
      OR: [
        { keepAnswersDays: { not: null } },
        { keepCrawlerHitsDays: { not: null } },
        { keepAnalyticsDays: { not: null } },
        { keepPageContentsDays: { not: null } },
        { keepAuditsDays: { not: null } },
        { keepAuditTrailDays: { not: null } },
      ],
    },
    include: { projects: { select: { id: true } } },
  })
  return rows.map((row) => ({
    workspaceId: row.id,
    projectIds: row.projects.map(({ id }) => id),
    retention: ownRetention(row),
  }))
}

const days = z
  .number()
  .int('must be a whole number of days')
  .min(1, 'must be at least 1 day')
  .max(36_500, 'must be at most 36500 days')
  .nullable()
  .optional()

const given = z.object({
  answers: days,
  crawlerHits: days,
  analytics: days,
  pageContents: days,
  audits: days,
  auditTrail: days,
})

/** Days to keep; absent for no change, null for no limit of the workspace's own. */
export type RetentionInput = Partial<Record<KeptKind, number | null | undefined>>

/** @throws {Fault} `invalid_argument` for days that are none, or more than the service keeps */
function wanted(before: Retention, service: Retention, input: RetentionInput): Retention {
  const read = check(given, input)
  const entries = keptKinds.map((kind) => {
    const value = read[kind]
    const most = service[kind]
    if (typeof value === 'number' && most !== null && value > most) {
      throw invalid(kind, `must be at most ${most}, which is what this service keeps`, value)
    }
    return [kind, value === undefined ? before[kind] : value] as const
  })
  return Object.fromEntries(entries) as Record<KeptKind, number | null>
}

/**
 * Sets how long a workspace keeps data. What is older goes in the next night.
 * @param service what the service keeps at most
 * @throws {Fault} `not_found`; `invalid_argument`
 */
export function setRetention(
  db: Db,
  actor: Actor,
  workspaceId: string,
  service: Retention,
  input: RetentionInput,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id: workspaceId }
    const before = await tx.workspace.findUniqueOrThrow({ where })
    const after = columnsOf(wanted(ownRetention(before), service, input))
    const changed = difference(columnsOf(ownRetention(before)), after)
    if (!changed) return { subjectId: workspaceId, edits: [] }
    await tx.workspace.update({ where, data: after })
    const subject = ['workspace', workspaceId] as const
    return {
      subjectId: workspaceId,
      edits: [{ action: 'workspace.update', subject, ...changed }],
    }
  })
}

/** Data of one kind that is older than a limit. */
export interface OlderData {
  readonly kind: KeptKind
  /** The first day that would be kept. */
  readonly firstDay: string
  readonly rows: number
}

type FirstDays = ReturnType<typeof firstKeptDays>

/** Rows of the warehouse before the first kept days. */
async function olderFacts(
  warehouse: Warehouse,
  projects: readonly string[],
  firstDays: FirstDays,
): Promise<readonly { readonly kind: CountedKind; readonly rows: number }[]> {
  const kinds = countedKinds.filter((kind) => firstDays[kind] !== undefined)
  if (kinds.length === 0 || projects.length === 0) return []
  const days = Object.fromEntries(kinds.map((kind) => [kind, firstDays[kind]] as const))
  return run<{ kind: CountedKind; rows: number }>(warehouse, {
    id: 'retention.older-rows',
    sql: olderRows(kinds),
    params: { projects, ...days },
  })
}

async function olderAuditCount(
  db: Db,
  projects: readonly string[],
  firstDay: string | undefined,
): Promise<number> {
  if (firstDay === undefined) return 0
  const rows = await db.$queryRawUnsafe<{ rows: number }[]>(olderAudits, firstDay, projects)
  return rows[0]?.rows ?? 0
}

async function olderEntryCount(
  db: Db,
  workspaceId: string,
  firstDay: string | undefined,
): Promise<number> {
  if (firstDay === undefined) return 0
  return db.auditEntry.count({ where: { workspaceId, at: { lt: new Date(firstDay) } } })
}

/** What would go of a workspace in the next night, under limits that nobody has set yet. Kinds that lose nothing are left out. */
export async function previewRetention(
  { db, warehouse, now }: { readonly db: Db; readonly warehouse: Warehouse; readonly now: Date },
  workspace: Workspace,
  service: Retention,
  input: RetentionInput,
): Promise<OlderData[]> {
  const own = wanted(ownRetention(workspace), service, input)
  const firstDays = firstKeptDays(shorter(own, service), now)
  const { id: workspaceId } = workspace
  const rows = await db.project.findMany({ where: { workspaceId }, select: { id: true } })
  const projects = rows.map(({ id }) => id)
  const [facts, audits, auditTrail] = await Promise.all([
    olderFacts(warehouse, projects, firstDays),
    olderAuditCount(db, projects, firstDays.audits),
    olderEntryCount(db, workspaceId, firstDays.auditTrail),
  ])
  const counts = new Map<KeptKind, number>([
    ...facts.map((row) => [row.kind, Number(row.rows)] as const),
    ['audits', audits],
    ['auditTrail', auditTrail],
  ])
  return keptKinds.flatMap((kind) => {
    const firstDay = firstDays[kind]
    const older = counts.get(kind) ?? 0
    return firstDay !== undefined && older > 0 ? [{ kind, firstDay, rows: older }] : []
  })
}
