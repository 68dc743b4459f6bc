import { setTimeout as sleep } from 'node:timers/promises'
import { openAsker } from '../../asking/ask.ts'
import { expectedCost } from '../../core/providers/cost.ts'
import { importCollected, replyOf } from '../../imports/collected/import.ts'
import { rawAnswers } from '../../imports/collected/raw.ts'
import { underLock } from '../../imports/loads/lock.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import {
  beginRun,
  type EndedAsk,
  endAsks,
  endRun,
  noteShown,
  releaseAsks,
  unshownAsks,
  waitingAsks,
} from '../../resolvers/collecting/asks.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import type { Work } from '../job.ts'
import { openBook } from './book.ts'
import { Lane, type LaneTerms, laneTerms } from './lane.ts'
import { askWithKey, endOf, failAll } from './questions.ts'

const lockWaitMs = 30_000
const idsAtOnce = 1000

/** Counts what an earlier worker kept, and did not live to count: no such question is asked again. */
async function countKept({ db, warehouse }: Work, { projectId, id }: Run, asks: readonly Ask[]) {
  const begun = new Map(asks.flatMap((ask) => (ask.attempts > 0 ? [[ask.id, ask]] : [])))
  const ids = [...begun.keys()]
  const counted = new Set<string>()
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const askIds = ids.slice(at, at + idsAtOnce)
    const ends: EndedAsk[] = []
    for await (const raw of rawAnswers(warehouse, { projectId, runId: id, askIds })) {
      const ask = begun.get(raw.askId)
      const reply = replyOf(raw)
      if (!ask || !reply) continue
      ends.push({ askId: ask.id, ...(await endOf(ask, reply, raw.askedAt)) })
      counted.add(ask.id)
    }
    await endAsks(db, projectId, ends)
  }
  return asks.filter(({ id: askId }) => !counted.has(askId))
}

/** Asks all questions of a run that wait. @throws the reason of a signal that ended it before */
async function askAll(work: Work, run: Run, terms: LaneTerms, lockLost: AbortSignal) {
  const { db, settings, secrets, stopping } = work
  const signal = AbortSignal.any([work.signal, lockLost])
  const left = await countKept(work, run, await waitingAsks(db, run.id))
  // The lock of the run says that whoever reserved for it before is dead.
  await releaseAsks(db, run.id)
  const asker = openAsker(settings.ALLOW_PRIVATE_HOSTS)
  const stop = AbortSignal.any([signal, stopping])
  const byKey = Map.groupBy(left, ({ providerKeyId }) => providerKeyId)
  const keys = [...byKey].map(async ([keyId, asks]) => {
    const access = await openProviderKey(db, keyId, secrets.signingSecrets)
    if (!access)
      return failAll(work, run, asks, 'The provider key is gone, or its secret cannot be opened.')
    const price = await expectedCost(access.provider, access.model)
    const book = openBook(db, run.projectId, price)
    return askWithKey(work, asks, {
      run,
      asker,
      access,
      book,
      lane: new Lane(terms),
      terms,
      signal,
      stopping: stop,
    })
  })
  const ends = await Promise.allSettled(keys)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  stop.throwIfAborted()
  await failAll(work, run, await waitingAsks(db, run.id), 'The run reached its deadline.')
}

/** Imports answers of a run: all of them, or those of some questions. */
async function show({ db, databaseUrl, warehouse }: Work, run: Run, askIds?: readonly string[]) {
  const { projectId, id: runId } = run
  const collected = { projectId, runId, ...(askIds && { askIds }) }
  await noteShown(db, await importCollected({ db, databaseUrl, warehouse }, collected))
}

/** Imports the answers that have come, again and again, until the run has asked everything. */
async function showAsTheyCome(work: Work, run: Run, terms: LaneTerms, asked: AbortSignal) {
  const signal = AbortSignal.any([asked, work.signal, work.stopping])
  while (!signal.aborted) {
    await sleep(terms.showEveryMs, undefined, { signal }).catch(() => undefined)
    const askIds = signal.aborted ? [] : await unshownAsks(work.db, run.id)
    for (let at = 0; at < askIds.length; at += idsAtOnce) {
      await show(work, run, askIds.slice(at, at + idsAtOnce))
    }
  }
}

async function askAndShow(work: Work, run: Run, terms: LaneTerms, lockLost: AbortSignal) {
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
    await askAll(reaching, run, terms, lockLost)
  } finally {
    asked.abort()
    await served?.close()
    await showing
  }
}

/**
 * Asks the questions of a run, keeps the replies, and imports the answers: readers see all of them at once, or as they
 * come. A second call goes on where the first one ended.
 */
export async function collectRun(runId: string, work: Work, terms = laneTerms): Promise<void> {
  const { db, databaseUrl } = work
  const run = await beginRun(db, runId)
  if (!run) return
  const { projectId } = run
  // The worker of before may still write its last reply.
  const lock = { projectId, lockKey: `collect:${run.id}`, waitMs: lockWaitMs }
  await underLock(databaseUrl, lock, (lockLost) => askAndShow(work, run, terms, lockLost))
  await show(work, run)
  await endRun(db, run.id, null)
}
