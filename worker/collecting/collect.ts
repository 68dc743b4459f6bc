import { setTimeout as sleep } from 'node:timers/promises'
import { endOf } from '../../core/collecting/providers/ending.ts'
import { isService } from '../../core/collecting/providers/surfaces/names.ts'
import type { JobData } from '../../core/queues.ts'
import { importCollected, replyOf } from '../../imports/collecting/import.ts'
import { rawAnswers } from '../../imports/collecting/raw.ts'
import { underLock } from '../../imports/loads/lock.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import {
  beginRun,
  endRun,
  noteShown,
  releaseAsks,
  unshownAsks,
  waitingAsks,
} from '../../resolvers/collecting/asks.ts'
import type { EndedAsk } from '../../resolvers/collecting/book.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import { settleTasks } from '../../resolvers/collecting/tasks.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import type { JobSteps, Work } from '../job.ts'
import { AskedKey } from './key.ts'
import { CollectingRun, keyGone } from './run.ts'
import { stepTasks } from './tasks.ts'
import { type RunTerms, runTerms } from './terms.ts'

const lockWaitMs = 30_000
const idsAtOnce = 1000

/**
 * Asks the questions of a run, keeps the replies, and imports the answers: readers see all of them at once, or as they
 * come. A second call goes on where the first one ended. A run whose tasks at services go on ends in a later job.
 */
export async function collectRun(
  { runId }: JobData['collect'],
  work: Work,
  terms = runTerms,
): Promise<void> {
  const { db, databaseUrl, settings } = work
  const run = await beginRun(db, runId)
  if (!run) return
  const { projectId } = run
  // The worker of before may still write its last reply.
  const lock = { projectId, lockKey: `collect:${run.id}`, waitMs: lockWaitMs }
  const next = await underLock(databaseUrl, lock, async (lockLost) => {
    const served = (await work.serveProvider?.(run)) ?? null
    const privateHosts = [...settings.ALLOW_PRIVATE_HOSTS, ...(served?.hosts ?? [])]
    const asked = new AbortController()
    const showing =
      run.visibility === 'by_answer' ? showAsTheyCome(work, run, terms, asked.signal) : null
    // Whoever awaits it gets its error. Until then it must not count as unhandled.
    showing?.catch(() => undefined)
    try {
      return await askAll(new CollectingRun({ run, work, terms, privateHosts, lockLost }))
    } finally {
      asked.abort()
      await served?.close()
      await showing
    }
  })
  if (next) {
    if (run.visibility === 'by_answer') await showNew(work, run)
    const afterSeconds = Math.max(0, Math.ceil((next.getTime() - Date.now()) / 1000))
    await sendJob(db, 'tasks', { runId }, { afterSeconds })
    return
  }
  await noteShown(db, await importCollected(work, { projectId, runId }))
  await endRun(db, run.id, null)
}

/** Does one run: asks its questions, and imports the answers. */
export const collectJob: JobSteps<JobData['collect']> = {
  run: collectRun,
  fail: ({ runId }, { db }) => endRun(db, runId, 'internal'),
}

/**
 * Asks all questions of a run that wait. Tasks at services are looked at while other providers are asked, and left to a
 * later job once those have ended: no worker waits for them.
 * @returns when the tasks are to be looked at next; null where all questions have ended
 * @throws the reason of a signal that ended it before
 */
async function askAll(of: CollectingRun): Promise<Date | null> {
  const { db, run, signingSecrets } = of
  let waiting = await waitingAsks(db, run.id)
  const begun = waiting.filter(({ attempts }) => attempts > 0)
  if (begun.length > 0) {
    await recover(of, begun)
    waiting = await waitingAsks(db, run.id)
  }
  const asks = waiting.filter(({ provider }) => !isService(provider))
  const keys = Map.groupBy(asks, ({ providerKeyId }) => providerKeyId)
  const over = new AbortController()
  const models = of
    .all(
      [...keys].map(async ([keyId, ofKey]) => {
        const access = await openProviderKey(db, keyId, signingSecrets)
        await (access ? new AskedKey(of, access).ask(ofKey) : of.fail(ofKey, keyGone))
      }),
    )
    .finally(() => over.abort())
  const tasks = watchTasks(of, AbortSignal.any([over.signal, of.stopping]))
  await of.all([models, tasks])
  return tasks
}

/** Counts what a dead worker kept, and did not live to count: it is not asked again. What it had reserved goes back. */
async function recover({ db, warehouse, run, book }: CollectingRun, begun: readonly Ask[]) {
  const byId = new Map(begun.map((ask) => [ask.id, ask]))
  const ids = [...byId.keys()]
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const askIds = ids.slice(at, at + idsAtOnce)
    const ends: EndedAsk[] = []
    for await (const raw of rawAnswers(warehouse, {
      projectId: run.projectId,
      runId: run.id,
      askIds,
    })) {
      const ask = byId.get(raw.askId)
      const reply = replyOf(raw)
      if (!ask || !reply) continue
      ends.push({ askId: ask.id, ...(await endOf(ask, reply)), askedAt: raw.askedAt })
    }
    await book.end(ends)
  }
  // The lock of the run says that whoever reserved for it is dead.
  await releaseAsks(db, run.id)
}

/** Looks at the tasks of a run whenever one is due, until `over`. @returns when the next look is to be */
async function watchTasks(of: CollectingRun, over: AbortSignal): Promise<Date | null> {
  await settleTasks(of.db, of.run.id)
  for (;;) {
    const next = await stepTasks(of)
    if (next === null || over.aborted) return next
    const ms = Math.max(0, next.getTime() - Date.now())
    await sleep(ms, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) return next
  }
}

/** Imports the answers that have come since the last import. */
async function showNew(work: Work, { id: runId, projectId }: Run): Promise<void> {
  const ids = await unshownAsks(work.db, runId)
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const askIds = ids.slice(at, at + idsAtOnce)
    await noteShown(work.db, await importCollected(work, { projectId, runId, askIds }))
  }
}

/** Imports the answers that have come, again and again, until the run has asked everything. */
async function showAsTheyCome(work: Work, run: Run, terms: RunTerms, asked: AbortSignal) {
  const signal = AbortSignal.any([asked, work.signal, work.stopping])
  while (!signal.aborted) {
    await sleep(terms.showEveryMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await showNew(work, run)
  }
}
