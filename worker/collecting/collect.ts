import { setTimeout as sleep } from 'node:timers/promises'
import { expectedCost } from '../../core/collecting/providers/cost.ts'
import { type Asker, openAsker } from '../../imports/collecting/ask.ts'
import { importCollected, replyOf } from '../../imports/collecting/import.ts'
import { rawAnswers } from '../../imports/collecting/raw.ts'
import { openTaskAsker, type ServiceAccess } from '../../imports/collecting/tasks.ts'
import { underLock } from '../../imports/loads/lock.ts'
import type { Run } from '../../prisma/generated/client.ts'
import {
  beginRun,
  begunAsks,
  type EndedAsk,
  endAsks,
  endRun,
  noteShown,
  releaseAsks,
  unshownAsks,
  waitingAsks,
} from '../../resolvers/collecting/asks.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import {
  asksOfGroup,
  nextLook,
  settleTasks,
  type TaskGroup,
  taskGroups,
  tasksOfRun,
} from '../../resolvers/collecting/tasks.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import type { Work } from '../job.ts'
import { openBook } from './book.ts'
import { Lane, type LaneTerms, laneTerms } from './lane.ts'
import { askWithKey, endOf, failAll } from './questions.ts'
import { stepTasks, type TaskTerms, taskTerms } from './tasks.ts'

const lockWaitMs = 30_000
const idsAtOnce = 1000
const keyGone = 'The provider key is gone, or its secret cannot be opened.'
const taskLeft =
  'The provider key is gone, or its secret cannot be opened. The service had taken the question: what it bills counts.'

/** How the questions of a run are asked. */
export interface RunTerms extends LaneTerms {
  readonly tasks: TaskTerms
}

export const runTerms: RunTerms = { ...laneTerms, tasks: taskTerms }

/** Counts what an earlier worker kept, and did not live to count: no such question is asked again. */
async function countKept({ db, warehouse }: Work, { projectId, id }: Run) {
  const begun = new Map((await begunAsks(db, id)).map((ask) => [ask.id, ask]))
  const ids = [...begun.keys()]
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const askIds = ids.slice(at, at + idsAtOnce)
    const ends: EndedAsk[] = []
    for await (const raw of rawAnswers(warehouse, { projectId, runId: id, askIds })) {
      const ask = begun.get(raw.askId)
      const reply = replyOf(raw)
      if (!ask || !reply) continue
      ends.push({ askId: ask.id, ...(await endOf(ask, reply, raw.askedAt)) })
    }
    await endAsks(db, projectId, ends)
  }
}

interface Asking {
  readonly run: Run
  readonly terms: RunTerms
  readonly asker: Asker
  /** Ends the requests under way. */
  readonly signal: AbortSignal
  /** Begins no further request. */
  readonly stopping: AbortSignal
}

/** Asks all questions that wait of providers that answer at once. */
async function askModels(work: Work, { run, terms, ...asking }: Asking): Promise<void> {
  const { db, secrets } = work
  const byKey = Map.groupBy(await waitingAsks(db, run.id), ({ providerKeyId }) => providerKeyId)
  const keys = [...byKey].map(async ([keyId, asks]) => {
    const access = await openProviderKey(db, keyId, secrets.signingSecrets)
    if (!access) return failAll(work, run, asks, keyGone)
    const price = await expectedCost(access.provider, access.model)
    const book = openBook(db, run.projectId, price)
    return askWithKey(work, asks, { run, access, book, lane: new Lane(terms), terms, ...asking })
  })
  const ends = await Promise.allSettled(keys)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  asking.stopping.throwIfAborted()
  await failAll(work, run, await waitingAsks(db, run.id), 'The run reached its deadline.')
}

/**
 * Ends the questions of a key that is gone. A service bills what it has taken, and without the key nobody can fetch or
 * cancel it: what it may cost counts.
 */
async function endWithoutKey(db: Work['db'], run: Run, group: TaskGroup): Promise<void> {
  const [asks, tasks] = await Promise.all([asksOfGroup(db, run.id, group), tasksOfRun(db, run.id)])
  const costs = new Map(tasks.map(({ askId, expectedCost }) => [askId, expectedCost]))
  const ends = asks.map(({ id: askId }) => ({
    askId,
    state: 'failed' as const,
    ...(costs.has(askId)
      ? { reason: taskLeft, cost: costs.get(askId) ?? null }
      : { reason: keyGone }),
  }))
  await endAsks(db, run.projectId, ends)
  await settleTasks(db, run.id)
}

/** One step of the tasks of a key at a surface. @returns when its next submission may be */
async function stepGroup(work: Work, group: TaskGroup, asking: Asking): Promise<Date | null> {
  const { run, terms, asker, signal, stopping } = asking
  const { db, secrets } = work
  const access = await openProviderKey(db, group.providerKeyId, secrets.signingSecrets)
  if (!access) {
    await endWithoutKey(db, run, group)
    return null
  }
  const { provider, model, unitPrice } = group
  const price = await expectedCost(provider, model, unitPrice)
  const { submitAt } = await stepTasks(work, {
    run,
    group,
    asker: openTaskAsker(asker),
    access: { ...access, provider, model } satisfies ServiceAccess,
    book: openBook(db, run.projectId, price),
    price,
    terms: terms.tasks,
    signal,
    stopping,
  })
  return submitAt
}

/** One step of all tasks of a run. @returns when the next one is to be; null where all have ended */
async function stepRun(work: Work, asking: Asking): Promise<Date | null> {
  const groups = await taskGroups(work.db, asking.run.id)
  const ends = await Promise.allSettled(groups.map((group) => stepGroup(work, group, asking)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  asking.stopping.throwIfAborted()
  const submissions = ends.flatMap((end) => (end.status === 'fulfilled' ? (end.value ?? []) : []))
  const times = [...submissions, ...[(await nextLook(work.db, asking.run.id)) ?? []].flat()]
  return times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())))
}

/**
 * Asks all questions of a run that wait. Tasks at services are looked at while other providers are asked, and left to a
 * later job once those have ended: no worker waits for them.
 * @returns when the tasks are to be looked at next; null where all questions have ended
 * @throws the reason of a signal that ended it before
 */
async function askAll(
  work: Work,
  run: Run,
  terms: RunTerms,
  lockLost: AbortSignal,
): Promise<Date | null> {
  const { db, settings } = work
  const signal = AbortSignal.any([work.signal, lockLost])
  await countKept(work, run)
  await settleTasks(db, run.id)
  // The lock of the run says that whoever reserved for it before is dead.
  await releaseAsks(db, run.id)
  const stopping = AbortSignal.any([signal, work.stopping])
  const asker = openAsker(settings.ALLOW_PRIVATE_HOSTS)
  const asking = { run, terms, asker, signal, stopping }
  const over = new AbortController()
  const models = askModels(work, asking).finally(() => over.abort())
  // Whoever awaits it gets its error. Until then it must not count as unhandled.
  models.catch(() => undefined)
  const either = AbortSignal.any([over.signal, stopping])
  let next: Date | null
  do {
    next = await stepRun(work, asking)
    if (next === null || either.aborted) break
    const ms = Math.max(0, next.getTime() - Date.now())
    await sleep(ms, undefined, { signal: either }).catch(() => undefined)
  } while (!either.aborted)
  await models
  stopping.throwIfAborted()
  return next
}

/** Imports answers of a run: all of them, or those of some questions. */
async function show({ db, databaseUrl, warehouse }: Work, run: Run, askIds?: readonly string[]) {
  const { projectId, id: runId } = run
  const collected = { projectId, runId, ...(askIds && { askIds }) }
  await noteShown(db, await importCollected({ db, databaseUrl, warehouse }, collected))
}

/** Imports the answers that have come since the last import. */
async function showNew(work: Work, run: Run): Promise<void> {
  const askIds = await unshownAsks(work.db, run.id)
  for (let at = 0; at < askIds.length; at += idsAtOnce) {
    await show(work, run, askIds.slice(at, at + idsAtOnce))
  }
}

/** Imports the answers that have come, again and again, until the run has asked everything. */
async function showAsTheyCome(work: Work, run: Run, terms: LaneTerms, asked: AbortSignal) {
  const signal = AbortSignal.any([asked, work.signal, work.stopping])
  while (!signal.aborted) {
    await sleep(terms.showEveryMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await showNew(work, run)
  }
}

async function askAndShow(work: Work, run: Run, terms: RunTerms, lockLost: AbortSignal) {
  const served = (await work.serveProvider?.(run)) ?? null
  const { settings } = work
  const hosts = [...settings.ALLOW_PRIVATE_HOSTS, ...(served?.hosts ?? [])]
  const reaching = { ...work, settings: { ...settings, ALLOW_PRIVATE_HOSTS: hosts } }
  const asked = new AbortController()
  const showing =
    run.visibility === 'by_answer' ? showAsTheyCome(work, run, terms, asked.signal) : null
  // Whoever awaits it gets its error. Until then it must not count as unhandled.
  showing?.catch(() => undefined)
  try {
    return await askAll(reaching, run, terms, lockLost)
  } finally {
    asked.abort()
    await served?.close()
    await showing
  }
}

/**
 * Asks the questions of a run, keeps the replies, and imports the answers: readers see all of them at once, or as they
 * come. A second call goes on where the first one ended. A run whose tasks at services go on ends in a later job.
 */
export async function collectRun(runId: string, work: Work, terms = runTerms): Promise<void> {
  const { db, databaseUrl } = work
  const run = await beginRun(db, runId)
  if (!run) return
  const { projectId } = run
  // The worker of before may still write its last reply.
  const lock = { projectId, lockKey: `collect:${run.id}`, waitMs: lockWaitMs }
  const next = await underLock(databaseUrl, lock, (lockLost) =>
    askAndShow(work, run, terms, lockLost),
  )
  if (next) {
    if (run.visibility === 'by_answer') await showNew(work, run)
    const afterSeconds = Math.max(0, Math.ceil((next.getTime() - Date.now()) / 1000))
    await sendJob(db, 'tasks', { runId }, { afterSeconds })
    return
  }
  await show(work, run)
  await endRun(db, run.id, null)
}
