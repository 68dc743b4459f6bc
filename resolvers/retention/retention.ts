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
  const projects = await db.project.findMany({ where: { workspaceId }, select: { id: true } })
  const projectIds = projects.map(({ id }) => id)
  const kinds = countedKinds.filter((kind) => firstDays[kind] !== undefined)
  const [facts, audits, entries] = await Promise.all([
    kinds.length === 0 || projectIds.length === 0
      ? []
      : run<{ kind: CountedKind; rows: number }>(warehouse, {
          id: 'retention.older-rows',
          sql: olderRows(kinds),
          params: { projects: projectIds, ...firstDays },
        }),
    firstDays.audits === undefined
      ? []
      : db.$queryRawUnsafe<{ rows: number }[]>(olderAudits, firstDays.audits, projectIds),
    firstDays.auditTrail === undefined
      ? 0
      : db.auditEntry.count({ where: { workspaceId, at: { lt: new Date(firstDays.auditTrail) } } }),
  ])
  const rows: Partial<Record<KeptKind, number>> = {
    ...Object.fromEntries(facts.map((row) => [row.kind, Number(row.rows)] as const)),
    audits: audits[0]?.rows ?? 0,
    auditTrail: entries,
  }
  return keptKinds.flatMap((kind) => {
    const firstDay = firstDays[kind]
    const older = rows[kind] ?? 0
    return firstDay !== undefined && older > 0 ? [{ kind, firstDay, rows: older }] : []
  })
}
