import { randomUUID } from 'node:crypto'
import { invalid, notFound } from '../../core/errors.ts'
import type { PageArgs } from '../../core/pagination.ts'
import type { AskedProvider } from '../../core/providers/request.ts'
import type { Db } from '../../prisma/client.ts'
import type { Run } from '../../prisma/generated/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { recordEdits } from '../shared/audit-trail.ts'
import { isUuid } from '../shared/ids.ts'
import { sendJob } from '../shared/jobs.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import { requireRunnable } from '../shared/runnable.ts'
import { inTransaction } from '../shared/transaction.ts'
import { planRun, type RunSelection } from './plan.ts'
import { runCoverage } from './runs.sql.ts'

/** After so long a run asks nothing more. */
const deadlineMs = 6 * 3600 * 1000
const rowsAtOnce = 5000

interface RunProject {
  readonly id: string
  readonly workspaceId: string
  readonly status: string
}

/**
 * Begins a run: stores its questions, and sends the job that asks them.
 * @throws {Fault} `invalid_argument`; `project_not_runnable`
 */
export function startRun(
  db: Db,
  actor: Actor,
  project: RunProject,
  selection: RunSelection,
): Promise<Run> {
  requireRunnable(project)
  const { id: projectId, workspaceId } = project
  return inTransaction(db, async (tx) => {
    const plan = await planRun(tx, project, selection)
    const { prompts, targets, repetitions, asks, expectedCost } = plan
    if (prompts.length === 0) throw invalid('promptIds', 'name no prompt: track a prompt first')
    if (targets.length === 0) throw invalid('keys', 'name no key: store a provider key first')
    const deadlineAt = new Date(Date.now() + deadlineMs)
    const run = await tx.run.create({ data: { projectId, repetitions, expectedCost, deadlineAt } })
    const rows = prompts.flatMap(({ id: promptId, text: prompt }) =>
      targets.flatMap(({ keyId: providerKeyId, provider, platform, model }) =>
        Array.from({ length: repetitions }, (_, at) => ({
          ...{ id: randomUUID(), runId: run.id, promptId, prompt, providerKeyId },
          ...{ provider, platform, model, repetition: at + 1 },
        })),
      ),
    )
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await tx.ask.createMany({ data: rows.slice(at, at + rowsAtOnce) })
    }
    const after = { asks, repetitions, expectedCost }
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      { action: 'run.start', subject: ['run', run.id], after },
    ])
    await sendJob(tx, 'collect', { runId: run.id })
    return run
  })
}

/** @throws {Fault} `not_found` */
export async function requireRun(db: Db, projectId: string, runId: string): Promise<Run> {
  const found = isUuid(runId) ? await db.run.findFirst({ where: { id: runId, projectId } }) : null
  if (!found) throw notFound()
  return found
}

export interface RunList {
  readonly rows: readonly Run[]
  readonly total: () => Promise<number>
}

/** A page of the runs of a project, the newest first. */
export async function listRuns(
  db: Db,
  projectId: string,
  { limit, offset, afterKey }: PageArgs,
): Promise<RunList> {
  const order = [
    ['createdAt', 'desc'],
    ['id', 'desc'],
  ] as const
  const rows = await db.run.findMany({
    where: { projectId, ...followsRow(order, afterKey) },
    orderBy: order.map(([column, direction]) => ({ [column]: direction })),
    take: limit,
    skip: offset,
  })
  return { rows, total: () => db.run.count({ where: { projectId } }) }
}

/** The questions of a run at one provider. */
export interface ProviderCoverage {
  readonly runId: string
  readonly provider: AskedProvider
  readonly asked: number
  readonly waiting: number
  readonly answered: number
  readonly absent: number
  readonly failed: number
  /** US dollars. */
  readonly cost: number
}

/** The coverage of each run, by provider. */
export async function loadCoverage(db: Db, runIds: readonly string[]) {
  const rows = await db.$queryRawUnsafe<ProviderCoverage[]>(runCoverage, runIds)
  return runIds.map((id) => rows.filter(({ runId }) => runId === id))
}
