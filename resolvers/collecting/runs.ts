import { randomUUID } from 'node:crypto'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Run } from '../../prisma/generated/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { recordEdits } from '../shared/audit-trail.ts'
import { groupById } from '../shared/by-project.ts'
import { sendJob } from '../shared/jobs.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import { requireRunnable } from '../shared/runnable.ts'
import { inTransaction } from '../shared/transaction.ts'
import { planRun, type RunPlan, type RunSelection } from './plan.ts'
import { runCoverage, runProblems } from './runs.sql.ts'
import { dropTasksOfFailed } from './tasks.ts'

/** After so long a run asks nothing more. */
const deadlineMs = 6 * 3600 * 1000
const rowsAtOnce = 5000
/** Of the transaction: it may store a hundred thousand questions. */
const startMs = 60_000

export interface RunProject {
  readonly id: string
  readonly workspaceId: string
  readonly status: string
}

/** What starts a run, beside what it asks. */
export interface RunTerms extends RunSelection {
  readonly visibility?: Run['visibility'] | null | undefined
  readonly scheduleId?: string | null
}

/**
 * Begins a run: stores its questions, and sends the job that asks them.
 * @throws {Fault} `invalid_argument`; `project_not_runnable`
 */
export function startRun(
  db: Db,
  actor: Actor,
  project: RunProject,
  { visibility, scheduleId = null, ...selection }: RunTerms,
): Promise<Run> {
  requireRunnable(project)
  const { id: projectId, workspaceId } = project
  const work = async (tx: Db) => {
    const plan = await planRun(tx, project, selection)
    const { prompts, targets, repetitions, asks, expectedCost, language } = plan
    if (prompts.length === 0) throw invalid('promptIds', 'name no prompt: track a prompt first')
    if (targets.length === 0) throw invalid('keys', 'name no key: store a provider key first')
    const run = await tx.run.create({
      data: {
        projectId,
        scheduleId,
        repetitions,
        expectedCost,
        language,
        visibility: visibility ?? 'whole',
        deadlineAt: new Date(Date.now() + deadlineMs),
      },
    })
    const rows = questionsOf(run.id, plan)
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      await tx.ask.createMany({ data: rows.slice(at, at + rowsAtOnce) })
    }
    const after = { asks, repetitions, expectedCost, ...(scheduleId && { scheduleId }) }
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      { action: 'run.start', subject: ['run', run.id], after },
    ])
    await sendJob(tx, 'collect', { runId: run.id })
    return run
  }
  return inTransaction(db, work, { timeout: startMs })
}

/** Each prompt by each key at each place, so often. */
function questionsOf(runId: string, plan: RunPlan) {
  const times = Array.from({ length: plan.repetitions }, (_, at) => at + 1)
  return plan.prompts.flatMap(({ id: promptId, text: prompt }) =>
    plan.targets.flatMap(({ keyId: providerKeyId, provider, platform, model, unitPrice }) =>
      plan.places.flatMap((at) => {
        const { locationId, ...place } = at ?? {}
        const where = locationId === undefined ? {} : { locationId, place }
        return times.map((repetition) => ({
          id: randomUUID(),
          runId,
          promptId,
          prompt,
          providerKeyId,
          provider,
          platform,
          model,
          unitPrice,
          repetition,
          ...where,
        }))
      }),
    ),
  )
}

/**
 * Asks the failed questions of a run again, as a part of the same run, whose other answers stay.
 * @throws {Fault} `not_found`; `project_not_runnable`; `invalid_argument` for a run that goes on, or has no failed question
 */
export function retryRun(db: Db, actor: Actor, project: RunProject, runId: string): Promise<Run> {
  requireRunnable(project)
  const { id: projectId, workspaceId } = project
  const work = async (tx: Db) => {
    const { id } = await requireRun(tx, projectId, runId)
    // Two calls at once ask once.
    await tx.$queryRaw`SELECT FROM "Run" WHERE id = ${id}::uuid FOR UPDATE`
    const { status } = await requireRun(tx, projectId, id)
    if (status === 'queued' || status === 'running') {
      throw invalid('runId', 'names a run that has not ended')
    }
    await dropTasksOfFailed(tx, id)
    await tx.ask.updateMany({
      where: { runId: id, state: 'failed' },
      // Without attempts: what an earlier try got is no reply to this one.
      data: { state: 'waiting', outcome: null, reason: null, endedAt: null, attempts: 0 },
    })
    const left = await tx.ask.count({ where: { runId: id, state: 'waiting' } })
    if (left === 0) throw invalid('runId', 'names a run without failed questions')
    const run = await tx.run.update({
      where: { id },
      data: {
        status: 'queued',
        error: null,
        completedAt: null,
        deadlineAt: new Date(Date.now() + deadlineMs),
      },
    })
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      { action: 'run.retry', subject: ['run', id], after: { asks: left } },
    ])
    await sendJob(tx, 'collect', { runId: id })
    return run
  }
  return inTransaction(db, work, { timeout: startMs })
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
  /** Of those that wait: a service has begun them. */
  readonly running: number
  /** Of those that wait: they wait in the queue of a service. */
  readonly queued: number
  readonly answered: number
  readonly absent: number
  readonly failed: number
  /** US dollars. */
  readonly cost: number
  /** US dollars that tasks under way are expected to cost. */
  readonly expected: number
}

/** The coverage of each run, by provider. */
export async function loadCoverage(db: Db, runIds: readonly string[]) {
  const rows = await db.$queryRawUnsafe<ProviderCoverage[]>(runCoverage, runIds)
  return groupById(runIds, rows, ({ runId }) => runId)
}

/** Why questions of a run failed that were asked with one key. */
export interface RunProblem {
  readonly runId: string
  readonly provider: AskedProvider
  /** Of the key; null for one that is gone. */
  readonly label: string | null
  readonly message: string
  readonly questions: number
}

/** Why questions of each run failed, the most frequent reasons first. */
export async function loadProblems(db: Db, runIds: readonly string[]) {
  const rows = await db.$queryRawUnsafe<RunProblem[]>(runProblems, runIds)
  return groupById(runIds, rows, ({ runId }) => runId)
}
