import { setTimeout as sleep } from 'node:timers/promises'
import { type Asker, AskFault, openAsker } from '../../asking/ask.ts'
import { costOf, expectedCost } from '../../core/providers/cost.ts'
import type { Place } from '../../core/providers/place.ts'
import { adapterVersion } from '../../core/providers/read.ts'
import type { ProviderReply } from '../../core/providers/reply.ts'
import type { ProviderAccess } from '../../core/providers/request.ts'
import { endingOf, importCollected, replyOf } from '../../imports/collected/import.ts'
import { keepRaw, rawAnswers } from '../../imports/collected/raw.ts'
import { underLock } from '../../imports/loads/lock.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import {
  type AskEnd,
  beginRun,
  endAsks,
  endRun,
  noteAttempt,
  noteShown,
  unshownAsks,
  waitingAsks,
} from '../../resolvers/collecting/asks.ts'
import { openProviderKey } from '../../resolvers/collecting/provider-keys.ts'
import { reserveSpending, settleSpending } from '../../resolvers/collecting/spending.ts'
import type { Work } from '../job.ts'
import { Lane, type LaneTerms, laneTerms } from './lane.ts'

const capReached = 'The cap on spending is reached, or the model has no price to hold against it.'
const lockWaitMs = 30_000
const idsAtOnce = 1000

/** How a question ended that the provider replied to. */
async function endOf(
  { provider, model }: Ask,
  reply: ProviderReply,
  askedAt: Date,
): Promise<AskEnd> {
  const { usage } = reply
  return {
    ...{ ...endingOf(reply), askedAt, cost: await costOf(provider, model, usage) },
    ...{ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  }
}

/** Counts what an earlier worker kept, and did not live to count: no such question is asked again. */
async function countKept({ db, warehouse }: Work, { projectId, id }: Run, asks: readonly Ask[]) {
  const begun = new Map(asks.flatMap((ask) => (ask.attempts > 0 ? [[ask.id, ask]] : [])))
  const ids = [...begun.keys()]
  const counted = new Set<string>()
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const askIds = ids.slice(at, at + idsAtOnce)
    for await (const raw of rawAnswers(warehouse, { projectId, runId: id, askIds })) {
      const ask = begun.get(raw.askId)
      const reply = replyOf(raw)
      if (!ask || !reply) continue
      await endAsks(db, [ask.id], await endOf(ask, reply, raw.askedAt))
      counted.add(ask.id)
    }
  }
  return asks.filter(({ id: askId }) => !counted.has(askId))
}

interface KeyWork {
  readonly run: Run
  readonly asker: Asker
  readonly access: ProviderAccess
  readonly lane: Lane
  /** US dollars that a question is expected to cost; null for a model without a price. */
  readonly price: number | null
  readonly terms: LaneTerms
  /** Ends the requests under way. */
  readonly signal: AbortSignal
  /** Begins no further request. */
  readonly stopping: AbortSignal
}

/** @returns the fault of a key that the provider refuses: nothing more can be asked with it */
async function askOne(work: Work, ask: Ask, of: KeyWork): Promise<AskFault | null> {
  const { db, warehouse } = work
  const { run, asker, access, lane, terms } = of
  const deadline = run.deadlineAt.getTime()
  for (let tries = 1; await lane.turn(deadline, of.stopping); tries++) {
    const askedAt = new Date()
    const reserved = await reserveSpending(db, run.projectId, of.price, askedAt)
    if (!reserved) return new AskFault('key', capReached)
    await noteAttempt(db, ask.id, askedAt)
    let spent = 0
    try {
      const place = ask.place as Place | null
      const from = { place, language: run.language }
      const options = { from, signal: of.signal }
      const { raw, reply, redirects } = await asker.ask(access, ask.prompt, options)
      lane.passed()
      // Kept before it is counted: a kill between the two loses nothing.
      await keepRaw(warehouse, {
        ...{ projectId: run.projectId, runId: run.id, askId: ask.id, askedAt, prompt: ask.prompt },
        ...{ provider: ask.provider, platform: ask.platform, model: access.model },
        ...{ repetition: ask.repetition, place, adapterVersion, body: raw, redirects },
      })
      const end = await endOf(ask, reply, askedAt)
      // A reply without a price counts as what was expected.
      spent = end.cost ?? of.price ?? 0
      await endAsks(db, [ask.id], end)
      return null
    } catch (error) {
      if (!(error instanceof AskFault)) throw error
      if (error.kind === 'key') return error
      if (error.mayPass) lane.failed(error)
      if (error.mayPass && tries < terms.tries) continue
      await endAsks(db, [ask.id], { state: 'failed', reason: error.message })
      return null
    } finally {
      await settleSpending(db, run.projectId, spent - (of.price ?? 0), askedAt)
    }
  }
  return null
}

/** Asks the questions of one key, some at a time. */
async function askWithKey(work: Work, asks: readonly Ask[], of: KeyWork): Promise<void> {
  const queue = asks.values()
  let refusal: AskFault | null = null
  const lane = async () => {
    for (const ask of queue) {
      if (refusal || of.stopping.aborted) return
      refusal ??= await askOne(work, ask, of)
    }
  }
  // Each lane ends what it has begun, also where another one fails.
  const ends = await Promise.allSettled(Array.from({ length: of.terms.atOnce }, lane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const message = (refusal as AskFault | null)?.message
  if (message !== undefined) await failAll(work, asks, message)
}

const failAll = ({ db }: Work, asks: readonly Ask[], reason: string) =>
  endAsks(
    db,
    asks.map(({ id }) => id),
    { state: 'failed', reason },
  )

/** Asks all questions of a run that wait. @throws the reason of a signal that ended it before */
async function askAll(work: Work, run: Run, terms: LaneTerms, lockLost: AbortSignal) {
  const { db, settings, secrets, stopping } = work
  const signal = AbortSignal.any([work.signal, lockLost])
  const left = await countKept(work, run, await waitingAsks(db, run.id))
  const asker = openAsker(settings.ALLOW_PRIVATE_HOSTS)
  const stop = AbortSignal.any([signal, stopping])
  const byKey = Map.groupBy(left, ({ providerKeyId }) => providerKeyId)
  const keys = [...byKey].map(async ([keyId, asks]) => {
    const access = await openProviderKey(db, keyId, secrets.signingSecrets)
    if (!access)
      return failAll(work, asks, 'The provider key is gone, or its secret cannot be opened.')
    const lane = new Lane(terms)
    const price = await expectedCost(access.provider, access.model)
    return askWithKey(work, asks, {
      run,
      asker,
      access,
      lane,
      price,
      terms,
      signal,
      stopping: stop,
    })
  })
  const ends = await Promise.allSettled(keys)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  stop.throwIfAborted()
  await failAll(work, await waitingAsks(db, run.id), 'The run reached its deadline.')
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
