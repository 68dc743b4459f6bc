import { Fault } from '../../core/errors.ts'
import { type PlanName, plans } from '../../core/plans.ts'
import { notEnded } from '../../core/queues.ts'
import { counted } from '../../core/text/counted.ts'
import type { Db } from '../../prisma/client.ts'
import { countedPrompts, countedRuns, keptRuns, lockedWorkspace } from './quotas.sql.ts'

/** What a workspace has used of its plan: prompts now, audits and reports in this UTC month. */
export interface Used {
  readonly prompts: number
  readonly audits: number
  readonly reports: number
}

interface CountedRuns {
  readonly workspaceId: string
  readonly audits: number
  readonly reports: number
}

const startOfMonth = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))

/**
 * What each workspace has used. Tracked prompts of all projects count, except prompts that came with imported
 * answers. Audits and reports count that were requested in the UTC month of `now`, except those that the service
 * itself failed.
 */
export async function loadUsed(
  db: Db,
  workspaceIds: readonly string[],
  now: Date,
): Promise<Used[]> {
  const [rows, runs] = await Promise.all([
    db.$queryRawUnsafe<{ workspaceId: string; prompts: number }[]>(countedPrompts, workspaceIds),
    db.$queryRawUnsafe<CountedRuns[]>(countedRuns, workspaceIds, startOfMonth(now)),
  ])
  const prompts = new Map(rows.map((row) => [row.workspaceId, row.prompts]))
  const runsOf = new Map(runs.map((row) => [row.workspaceId, row]))
  return workspaceIds.map((id) => {
    const { audits = 0, reports = 0 } = runsOf.get(id) ?? {}
    return { prompts: prompts.get(id) ?? 0, audits, reports }
  })
}

/** Keeps what a project has used of its plan in the UTC month of `now`: its deletion frees no audit and no report. */
export async function keepUsed(tx: Db, projectId: string, now: Date): Promise<void> {
  await tx.$executeRawUnsafe(keptRuns, projectId, startOfMonth(now))
}

interface PlannedWorkspace {
  readonly workspaceId: string
  readonly plan: PlanName
}

/**
 * Checks that the plan allows `requested` more tracked prompts. Locks the workspace until the transaction ends:
 * concurrent requests cannot exceed the limit together.
 * @param written how many of them the transaction has written already
 * @throws {Fault} `quota_exceeded`
 */
export async function reservePrompts(
  tx: Db,
  workspace: PlannedWorkspace,
  requested: number,
  written = 0,
): Promise<void> {
  if (plans[workspace.plan].prompts === null) return
  await tx.$queryRawUnsafe(lockedWorkspace, workspace.workspaceId)
  await refuseBeyondPlan(tx, workspace, requested, written)
}

/**
 * Checks like `reservePrompts`, without a lock: for a refusal before long work.
 * @throws {Fault} `quota_exceeded`
 */
export async function refuseBeyondPlan(
  db: Db,
  workspace: PlannedWorkspace,
  requested: number,
  written = 0,
): Promise<void> {
  const { prompts: limit } = plans[workspace.plan]
  if (limit === null) return
  const [used] = await loadUsed(db, [workspace.workspaceId], new Date())
  const current = (used?.prompts ?? 0) - written
  if (current + requested <= limit) return
  throw new Fault(
    'quota_exceeded',
    `The plan "${workspace.plan}" allows ${counted(limit, 'tracked prompt')}. ${current} ${current === 1 ? 'is' : 'are'} tracked; ${requested} more ${requested === 1 ? 'exceeds' : 'exceed'} the limit.`,
    { extras: { quotaExceeded: true, current, limit, requested } },
  )
}

/**
 * Checks that the plan allows one more audit: now, and in the UTC month of `now`. Locks the workspace until the
 * transaction ends: concurrent requests cannot exceed a limit together.
 * @throws {Fault} `quota_exceeded`
 */
export async function reserveAudit(
  tx: Db,
  { workspaceId, plan }: { readonly workspaceId: string; readonly plan: PlanName },
  now: Date,
): Promise<void> {
  await tx.$queryRawUnsafe(lockedWorkspace, workspaceId)
  const { concurrentAudits, auditsPerMonth } = plans[plan]
  const running = await tx.audit.count({
    where: { project: { workspaceId }, status: notEnded },
  })
  const refuse = (current: number, limit: number, per: string) => {
    if (current >= limit)
      throw exceeded(plan, { current, limit }, `${counted(limit, 'audit')} ${per}`)
  }
  refuse(running, concurrentAudits, 'at once')
  if (auditsPerMonth === null) return
  const [used] = await loadUsed(tx, [workspaceId], now)
  refuse(used?.audits ?? 0, auditsPerMonth, 'a month')
}

/** @param allowed what the plan has, such as "1 report a month" */
function exceeded(
  plan: PlanName,
  used: { current: number; limit: number },
  allowed: string,
): Fault {
  const already = used.current === 1 ? '1 counts' : `${used.current} count`
  return new Fault(
    'quota_exceeded',
    `The plan "${plan}" allows ${allowed}, and ${already} already.`,
    {
      extras: { quotaExceeded: true, ...used, requested: 1 },
    },
  )
}

/**
 * Checks that the plan allows one more report in the UTC month of `now`. Locks the workspace until the transaction
 * ends: concurrent requests take turns.
 * @throws {Fault} `quota_exceeded`
 */
export async function reserveReport(
  tx: Db,
  { workspaceId, plan }: { readonly workspaceId: string; readonly plan: PlanName },
  now: Date,
): Promise<void> {
  await tx.$queryRawUnsafe(lockedWorkspace, workspaceId)
  const { reportsPerMonth: limit } = plans[plan]
  if (limit === null) return
  const [used] = await loadUsed(tx, [workspaceId], now)
  const current = used?.reports ?? 0
  if (current >= limit) {
    throw exceeded(plan, { current, limit }, `${counted(limit, 'report')} a month`)
  }
}
