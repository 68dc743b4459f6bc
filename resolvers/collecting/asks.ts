import type { Outcome } from '../../core/providers/reply.ts'
import type { Db } from '../../prisma/client.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import { showAnswers } from './runs.sql.ts'

const unfinished = ['queued' as const, 'running' as const]

/** The run of a job, now running; null for one that has ended or was deleted. */
export async function beginRun(db: Db, id: string): Promise<Run | null> {
  const where = { id, status: { in: unfinished } }
  await db.run.updateMany({
    where: { id, status: 'queued' },
    data: { status: 'running', startedAt: new Date() },
  })
  return db.run.findFirst({ where })
}

export async function endRun(db: Db, id: string, error: string | null): Promise<void> {
  await db.run.updateMany({
    where: { id, status: { in: unfinished } },
    data: { status: error === null ? 'completed' : 'failed', error, completedAt: new Date() },
  })
}

/** The runs that have not ended. */
export async function unfinishedRuns(db: Db): Promise<readonly { readonly runId: string }[]> {
  const where = { status: { in: unfinished } }
  const rows = await db.run.findMany({ where, select: { id: true } })
  return rows.map(({ id }) => ({ runId: id }))
}

/** Questions that wait, in the order of their prompts, so that all providers begin at once. */
export function waitingAsks(db: Db, runId: string): Promise<Ask[]> {
  return db.ask.findMany({
    where: { runId, state: 'waiting' },
    orderBy: [{ repetition: 'asc' }, { promptId: 'asc' }, { id: 'asc' }],
  })
}

/** Stores that a question is being asked, before it is. */
export async function noteAttempt(db: Db, askId: string, askedAt: Date): Promise<void> {
  await db.ask.update({ where: { id: askId }, data: { attempts: { increment: 1 }, askedAt } })
}

/** How a question ended. */
export interface AskEnd {
  readonly state: 'answered' | 'absent' | 'failed'
  /** Of the reply. */
  readonly askedAt?: Date
  /** Absent without a reply. */
  readonly outcome?: Outcome
  readonly reason?: string
  readonly cost?: number | null
  readonly inputTokens?: number | null
  readonly outputTokens?: number | null
}

/** Ends questions that wait. Others stay unchanged. */
export async function endAsks(db: Db, askIds: readonly string[], end: AskEnd): Promise<void> {
  const { reason, ...data } = end
  await db.ask.updateMany({
    where: { id: { in: [...askIds] }, state: 'waiting' },
    data: { ...data, reason: reason?.slice(0, 300) || null, endedAt: new Date() },
  })
}

const idsAtOnce = 5000

/** Stores which answers reports show of a run, by the questions that they answer. */
export async function noteShown(db: Db, shown: ReadonlyMap<string, string>): Promise<void> {
  const pairs = [...shown]
  for (let at = 0; at < pairs.length; at += idsAtOnce) {
    const some = pairs.slice(at, at + idsAtOnce)
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
