import { serviceNames } from '../../core/collecting/providers/surfaces/names.ts'
import { notEnded } from '../../core/queues.ts'
import type { Db } from '../../prisma/client.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import { deliver } from '../shared/deliver.ts'
import { inTransaction } from '../shared/transaction.ts'
import { openBook } from './book.ts'
import { showAnswers } from './runs.sql.ts'

/** The run of a job, now running; null for one that has ended or was deleted. */
export async function beginRun(db: Db, id: string): Promise<Run | null> {
  const where = { id, status: notEnded }
  await db.run.updateMany({
    where: { id, status: 'queued' },
    data: { status: 'running', startedAt: new Date() },
  })
  return db.run.findFirst({ where })
}

/** Ends a run, of which nothing is asked any more. */
export async function endRun(db: Db, id: string, error: string | null): Promise<void> {
  await releaseAsks(db, id)
  await inTransaction(db, async (tx) => {
    const { count } = await tx.run.updateMany({
      where: { id, status: notEnded },
      data: { status: error === null ? 'completed' : 'failed', error, completedAt: new Date() },
    })
    if (count > 0) await tellOfRun(tx, id, error === null)
  })
}

/** A run that ended without an answer has failed too, for whoever waits for answers. */
async function tellOfRun(tx: Db, id: string, hasEnded: boolean): Promise<void> {
  const run = await tx.run.findUniqueOrThrow({ where: { id }, select: { projectId: true } })
  const counted = await tx.ask.groupBy({ by: ['state'], where: { runId: id }, _count: true })
  const countOf = (...states: readonly string[]) =>
    counted.reduce((sum, { state, _count }) => sum + (states.includes(state) ? _count : 0), 0)
  const answered = countOf('answered', 'absent')
  const failed = countOf('failed')
  const isDone = hasEnded && (answered > 0 || failed === 0)
  await deliver(tx, {
    type: isDone ? 'run.completed' : 'run.failed',
    projectId: run.projectId,
    title: isDone ? 'A run is done' : 'A run failed',
    facts: [
      { label: 'Answers', value: String(answered) },
      { label: 'Failed', value: String(failed) },
    ],
    page: 'data-collection',
    ids: { runId: id },
  })
}

/**
 * Questions to ask now, of providers that answer at once, in the order of their prompts, so that all providers begin at
 * once; and those that an earlier worker has asked, and that wait.
 */
export function waitingAsks(db: Db, runId: string): Promise<Ask[]> {
  const isNow = { provider: { notIn: [...serviceNames] } }
  return db.ask.findMany({
    where: { runId, state: 'waiting', OR: [isNow, { attempts: { gt: 0 } }] },
    orderBy: [{ repetition: 'asc' }, { promptId: 'asc' }, { id: 'asc' }],
  })
}

const rowsAtOnce = 5000

/**
 * Gives back what questions of a run have reserved and nobody asks any more, such as those of a killed worker. A task at
 * a service keeps its part until it ends.
 */
export async function releaseAsks(db: Db, runId: string): Promise<void> {
  const where = {
    runId,
    state: 'waiting',
    reserved: { not: null },
    NOT: { task: { nextLookAt: { not: null } } },
  } as const
  const select = { id: true, run: { select: { projectId: true } } }
  const held = await db.ask.findMany({ where, select })
  const ends = held.map(({ id: askId }) => ({ askId, state: 'waiting' as const }))
  const [first] = held
  if (first) await openBook(db, first.run.projectId).end(ends)
}

/** Stores which answers reports show of a run, by the questions that they answer. */
export async function noteShown(db: Db, shown: ReadonlyMap<string, string>): Promise<void> {
  const pairs = [...shown]
  for (let at = 0; at < pairs.length; at += rowsAtOnce) {
    const some = pairs.slice(at, at + rowsAtOnce)
    const asks = some.map(([askId]) => askId)
    const answers = some.map(([, answerId]) => answerId)
    await db.$executeRawUnsafe(showAnswers, asks, answers)
  }
}

/** Questions of a run with an answer that reports do not show. */
export async function unshownAsks(db: Db, runId: string): Promise<string[]> {
  const where = { runId, state: 'answered', answerId: null } as const
  const rows = await db.ask.findMany({ where, select: { id: true } })
  return rows.map(({ id }) => id)
}
