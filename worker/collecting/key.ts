import { setTimeout as sleep } from 'node:timers/promises'
import { expectedCost } from '../../core/collecting/providers/cost.ts'
import { endOf } from '../../core/collecting/providers/ending.ts'
import { faultText } from '../../core/collecting/providers/fault-text.ts'
import type { Place } from '../../core/collecting/providers/place.ts'
import { readReply } from '../../core/collecting/providers/read.ts'
import type { ProviderAccess } from '../../core/collecting/providers/request.ts'
import { joinedTurns } from '../../core/collecting/providers/turns.ts'
import { jsonIn } from '../../core/json.ts'
import { AskFault } from '../../imports/collecting/ask.ts'
import { keepRaw, rawOf } from '../../imports/collecting/raw.ts'
import type { Ask } from '../../prisma/generated/client.ts'
import type { AskEnd } from '../../resolvers/collecting/book.ts'
import { noteRefused, noteWorking } from '../../resolvers/collecting/provider-keys.ts'
import { type CollectingRun, capReached, deadlineReached, nextMoment } from './run.ts'

/** How a question ended that got no answer. What the provider has billed for a turn that never ended counts. */
async function endOfFault(ask: Ask, fault: AskFault, askedAt: Date): Promise<AskEnd> {
  const { kind, message: reason, paused } = fault
  if (kind === 'filtered') return { state: 'absent', outcome: 'filtered', reason, cost: 0 }
  const reply = paused.length === 0 ? null : readReply(jsonIn(joinedTurns(paused)))
  return { ...(reply && { ...(await endOf(ask, reply)), askedAt }), state: 'failed', reason }
}

/**
 * The questions of a run to one key, at the key's pace. A provider limits keys, not questions: what it asks to wait holds
 * for all questions of the key. So no library that repeats a single call does.
 */
export class AskedKey {
  readonly #of: CollectingRun
  readonly #access: ProviderAccess
  /** Begins no further request. A lane that waits must not ask with a key that another one saw refused. */
  readonly #stopping: AbortSignal
  readonly #over = new AbortController()
  /** US dollars that a question is expected to cost; null for a model without a price. */
  #price: number | null = null
  /** Why the key can ask nothing more. */
  #refusal: AskFault | null = null
  /** Whether the deadline has left questions unasked. */
  #isLate = false
  /** Whether the provider has answered a question. */
  #hasPassed = false
  #faults = 0
  #refusals = 0
  /** In milliseconds since 1970. */
  #notBefore = 0

  constructor(of: CollectingRun, access: ProviderAccess) {
    this.#of = of
    this.#access = access
    this.#stopping = AbortSignal.any([of.stopping, this.#over.signal])
  }

  /** Asks questions, some at a time, and ends those that cannot be asked. */
  async ask(asks: readonly Ask[]): Promise<void> {
    const { terms, stopping, db } = this.#of
    const { provider, model } = this.#access
    this.#price = await expectedCost(provider, model)
    // A run may have a hundred thousand: a library's promise for each would hold 100 MB.
    const queue = asks.values()
    const lane = async () => {
      for (const ask of queue) {
        if (this.#stopping.aborted) return
        const refusal = await this.#askOne(ask)
        this.#refusal ??= refusal
        if (refusal) this.#over.abort()
      }
    }
    // Each lane ends what it has begun, also where another one fails.
    const ends = await Promise.allSettled(Array.from({ length: terms.atOnce }, lane))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    const refusal = this.#refusal as AskFault | null
    const keyId = asks[0]?.providerKeyId ?? ''
    // A cap of the project says nothing about the key.
    if (refusal?.endsKey && refusal.message !== capReached) {
      await noteRefused(db, keyId, faultText(provider, refusal))
    } else if (this.#hasPassed) await noteWorking(db, keyId)
    const reason = refusal?.message ?? (this.#isLate && !stopping.aborted ? deadlineReached : null)
    if (reason !== null) await this.#of.fail(asks, reason)
  }

  /**
   * Asks a question until it is answered, refused, or asked too often. What is replied is kept.
   * @returns the fault after which nothing more can be asked with the key
   */
  async #askOne(ask: Ask): Promise<AskFault | null> {
    const { run, terms, asker, warehouse, book, signal } = this.#of
    const from = { place: ask.place as Place | null, language: run.language }
    let notBefore = 0
    /** Bodies of an earlier try, of a turn that goes on. */
    let paused: readonly string[] = []
    for (let tries = 1; await this.#turn(notBefore); tries++) {
      const askedAt = nextMoment()
      if (!(await book.begin({ askId: ask.id, askedAt, price: this.#price }))) {
        return new AskFault('key', capReached)
      }
      try {
        const answer = await asker.ask(this.#access, ask.prompt, { from, signal, paused })
        this.#hasPassed = true
        this.#faults = 0
        this.#refusals = 0
        // Kept before it is counted: a kill between the two loses nothing.
        const asked = { ...ask, model: this.#access.model }
        await keepRaw(warehouse, rawOf(run, asked, askedAt, answer))
        const end = await endOf(ask, answer.reply)
        // A reply that is dearer than expected is the measure for those after it.
        if (this.#price !== null) this.#price = Math.max(this.#price, end.cost ?? 0)
        await book.end([{ askId: ask.id, ...end, askedAt }])
        return null
      } catch (error) {
        // What the question has reserved goes back when the run goes on, or ends.
        if (!(error instanceof AskFault)) throw error
        paused = error.paused
        if (error.mayPass) notBefore = this.#pause(error)
        const isLast = !error.mayPass || tries >= terms.tries
        const end: AskEnd = isLast ? await endOfFault(ask, error, askedAt) : { state: 'waiting' }
        await book.end([{ askId: ask.id, ...end }])
        const isRefusal = error.kind === 'request' || error.kind === 'address'
        // So many refusals in a row say that the provider refuses all questions.
        if (isRefusal) this.#refusals += 1
        if (error.endsKey || (isRefusal && this.#refusals >= terms.circuitFaults)) return error
        if (isLast) return null
      }
    }
    return null
  }

  /** Waits until the key may be asked. @returns false where it may not be in time, or not at all */
  async #turn(notBefore: number): Promise<boolean> {
    const deadline = this.#of.run.deadlineAt.getTime()
    for (;;) {
      if (this.#stopping.aborted) return false
      const at = Math.max(Date.now(), this.#notBefore, notBefore)
      if (at >= deadline) {
        this.#isLate = true
        return false
      }
      const waitMs = at - Date.now()
      if (waitMs <= 0) return true
      await sleep(waitMs, undefined, { signal: this.#stopping }).catch(() => undefined)
    }
  }

  /**
   * Takes a fault that may pass. A limit holds for all questions of the key, and so does the rest after many faults in a
   * row. Other faults are the question's own.
   * @returns when the question may be asked again, in milliseconds since 1970
   */
  #pause({ kind, retryAfterMs }: AskFault): number {
    const { backoffMs, mostBackoffMs, circuitFaults, circuitMs } = this.#of.terms
    const backoff = Math.min(mostBackoffMs, backoffMs * 2 ** this.#faults)
    this.#faults += 1
    const rest = this.#faults >= circuitFaults ? circuitMs : 0
    const waitMs = Math.max(rest, retryAfterMs ?? backoff * (0.5 + Math.random() / 2))
    const notBefore = Date.now() + waitMs
    if (kind === 'limited' || retryAfterMs !== null || rest > 0) {
      this.#notBefore = Math.max(this.#notBefore, notBefore)
    }
    return notBefore
  }
}
