import { costOf } from '../../core/collecting/providers/cost.ts'
import { faultText } from '../../core/collecting/providers/fault-text.ts'
import type { Place } from '../../core/collecting/providers/place.ts'
import { adapterVersion, readReply } from '../../core/collecting/providers/read.ts'
import type { ProviderReply } from '../../core/collecting/providers/reply.ts'
import type { ProviderAccess } from '../../core/collecting/providers/request.ts'
import { joinedTurns } from '../../core/collecting/providers/turns.ts'
import { jsonIn } from '../../core/json.ts'
import { type Asker, AskFault } from '../../imports/collecting/ask.ts'
import { endingOf } from '../../imports/collecting/import.ts'
import { keepRaw } from '../../imports/collecting/raw.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import { type AskEnd, endAsks } from '../../resolvers/collecting/asks.ts'
import { noteRefused, noteWorking } from '../../resolvers/collecting/provider-keys.ts'
import type { Work } from '../job.ts'
import type { Book } from './book.ts'
import type { Lane, LaneTerms } from './lane.ts'

export const capReached =
  'The cap on spending is reached, or the model has no price to hold against it.'

/** How a question ended that the provider replied to. */
export async function endOf(
  { provider, model, unitPrice }: Ask,
  reply: ProviderReply,
  askedAt: Date,
): Promise<AskEnd> {
  const { usage } = reply
  return {
    ...endingOf(reply),
    askedAt,
    cost: await costOf(provider, model, usage, unitPrice),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  }
}

export interface KeyWork {
  readonly run: Run
  readonly asker: Asker
  readonly access: ProviderAccess
  readonly lane: Lane
  readonly book: Book
  readonly terms: LaneTerms
  /** Ends the requests under way. */
  readonly signal: AbortSignal
  /** Begins no further request. */
  readonly stopping: AbortSignal
}

/**
 * Asks a question once, and keeps what the provider replied.
 * @param paused bodies of an earlier try, of a turn that goes on
 * @throws {AskFault}
 */
async function askOnce(
  { warehouse }: Work,
  ask: Ask,
  { askedAt, paused }: { readonly askedAt: Date; readonly paused: readonly string[] },
  of: KeyWork,
): Promise<void> {
  const { run, asker, access, lane, book, signal } = of
  const place = ask.place as Place | null
  const from = { place, language: run.language }
  const options = { from, signal, paused }
  const { raw, reply, redirects } = await asker.ask(access, ask.prompt, options)
  lane.passed()
  // Kept before it is counted: a kill between the two loses nothing.
  await keepRaw(warehouse, {
    projectId: run.projectId,
    runId: run.id,
    askId: ask.id,
    askedAt,
    prompt: ask.prompt,
    provider: ask.provider,
    platform: ask.platform,
    model: access.model,
    repetition: ask.repetition,
    place,
    adapterVersion,
    body: raw,
    redirects,
  })
  await book.end({ askId: ask.id, ...(await endOf(ask, reply, askedAt)) })
}

/** How a question ended that got no answer. What the provider has billed for a turn that never ended counts. */
async function endOfFault(ask: Ask, fault: AskFault, askedAt: Date): Promise<AskEnd> {
  const { kind, message: reason, paused } = fault
  if (kind === 'filtered') return { state: 'absent', outcome: 'filtered', reason, cost: 0 }
  const reply = paused.length === 0 ? null : readReply(jsonIn(joinedTurns(paused)))
  return { ...(reply && (await endOf(ask, reply, askedAt))), state: 'failed', reason }
}

/** @returns the fault after which nothing more can be asked with the key */
async function askOne(work: Work, ask: Ask, of: KeyWork): Promise<AskFault | null> {
  const { lane, book, terms } = of
  const deadline = of.run.deadlineAt.getTime()
  let notBefore = 0
  let paused: readonly string[] = []
  for (let tries = 1; await lane.turn(deadline, of.stopping, notBefore); tries++) {
    const askedAt = await book.begin(ask.id)
    if (askedAt === null) return new AskFault('key', capReached)
    try {
      await askOnce(work, ask, { askedAt, paused }, of)
      return null
    } catch (error) {
      // What the question has reserved goes back when the run goes on, or ends.
      if (!(error instanceof AskFault)) throw error
      const { endsKey, mayPass } = error
      paused = error.paused
      if (mayPass) notBefore = lane.failed(error)
      const isLast = !mayPass || tries >= terms.tries
      const said = isLast ? await endOfFault(ask, error, askedAt) : ({ state: 'waiting' } as const)
      await book.end({ askId: ask.id, ...said })
      const isRefusal = error.kind === 'request' || error.kind === 'address'
      if (endsKey || (isRefusal && lane.refused())) return error
      if (isLast) return null
    }
  }
  return null
}

/** Asks the questions of one key, some at a time. */
export async function askWithKey(work: Work, asks: readonly Ask[], of: KeyWork): Promise<void> {
  const queue = asks.values()
  let refusal: AskFault | null = null
  // A lane that waits must not ask with a key that another one saw refused.
  const over = new AbortController()
  const own = { ...of, stopping: AbortSignal.any([of.stopping, over.signal]) }
  const lane = async () => {
    for (const ask of queue) {
      if (own.stopping.aborted) return
      const fault = await askOne(work, ask, own)
      refusal ??= fault
      if (fault) over.abort()
    }
  }
  // Each lane ends what it has begun, also where another one fails.
  const ends = await Promise.allSettled(Array.from({ length: of.terms.atOnce }, lane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  await noteKey(work, asks, of, refusal)
  const message = (refusal as AskFault | null)?.message
  if (message !== undefined) await failAll(work, of.run, asks, message)
}

/** Notes on the key whether its provider takes it. A cap of the project says nothing about the key. */
async function noteKey(
  { db }: Work,
  asks: readonly Ask[],
  { access, lane }: KeyWork,
  refusal: AskFault | null,
): Promise<void> {
  const keyId = asks[0]?.providerKeyId
  if (keyId === undefined) return
  if (refusal?.endsKey && refusal.message !== capReached) {
    await noteRefused(db, keyId, faultText(access.provider, refusal))
  } else if (lane.hasPassed) await noteWorking(db, keyId)
}

/** Ends questions that wait without a reply. */
export function failAll({ db }: Work, run: Run, asks: readonly Ask[], reason: string) {
  const ends = asks.map(({ id: askId }) => ({ askId, state: 'failed' as const, reason }))
  return endAsks(db, run.projectId, ends)
}
