import { Fault } from '../../core/errors.ts'
import { type PlanName, plans } from '../../core/plans.ts'
import type { Db } from '../../prisma/client.ts'
import { countedPrompts, lockedWorkspace } from './quotas.sql.ts'

/** What a workspace has used of its plan: prompts at this moment, the others in this UTC month. */
export interface Used {
  readonly prompts: number
  readonly audits: number
  readonly reports: number
}

/**
 * What each workspace has used. A prompt counts while it is tracked, in whichever project, unless it came
 * with imported answers. Nothing makes audits and reports yet, so that none were made.
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
 * Makes sure that so many more prompts may be tracked, until the transaction ends: others of the workspace
 * that ask meanwhile wait for it, so that no two together go beyond what each alone would not.
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
    `The plan "${workspace.plan}" tracks ${limit} prompts. ${current} are tracked, and ${requested} more do not fit.`,
    { extras: { quotaExceeded: true, current, limit, requested } },
  )
}
