import { Fault } from '../../core/errors.ts'
import { type PlanName, plans } from '../../core/plans.ts'
import type { Db } from '../../prisma/client.ts'
import { countedPrompts, lockedWorkspace } from './quotas.sql.ts'

/** What a workspace has used of its plan: prompts now, audits and reports in this UTC month. */
export interface Used {
  readonly prompts: number
  readonly audits: number
  readonly reports: number
}

/**
 * What each workspace has used. Tracked prompts of all projects count, except prompts that came with imported
 * answers. Audits and reports are 0: nothing creates them yet.
 */
export async function loadUsed(db: Db, workspaceIds: readonly string[]): Promise<Used[]> {
  const rows = await db.$queryRawUnsafe<{ workspaceId: string; prompts: number }[]>(
    countedPrompts,
    workspaceIds,
  )
  const prompts = new Map(rows.map((row) => [row.workspaceId, row.prompts]))
  return workspaceIds.map((id) => ({ prompts: prompts.get(id) ?? 0, audits: 0, reports: 0 }))
}

/**
 * Checks that the plan allows `requested` more tracked prompts. Locks the workspace until the transaction ends:
 * concurrent requests cannot exceed the limit together.
 * @throws {Fault} `quota_exceeded`
 */
export async function reservePrompts(
  tx: Db,
  workspace: { readonly workspaceId: string; readonly plan: PlanName },
  requested: number,
): Promise<void> {
  const { prompts: limit } = plans[workspace.plan]
  if (limit === null) return
  await tx.$queryRawUnsafe(lockedWorkspace, workspace.workspaceId)
  const [used] = await loadUsed(tx, [workspace.workspaceId])
  const current = used?.prompts ?? 0
  if (current + requested <= limit) return
  throw new Fault(
    'quota_exceeded',
    `The plan "${workspace.plan}" allows ${limit} tracked prompts. ${current} are tracked; ${requested} more exceed the limit.`,
    { extras: { quotaExceeded: true, current, limit, requested } },
  )
}
