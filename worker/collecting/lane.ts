import { setTimeout as sleep } from 'node:timers/promises'
import type { AskFault } from '../../imports/collecting/ask.ts'

/** How a key is asked. Times are in milliseconds. */
export interface LaneTerms {
  /** Questions at once. */
  readonly atOnce: number
  /** Requests for one question. */
  readonly tries: number
  /** The pause after a first fault; it doubles with each more of the key in a row. */
  readonly backoffMs: number
  readonly mostBackoffMs: number
  /** Faults in a row that open the circuit: the key rests so long. So many refusals in a row end it. */
  readonly circuitFaults: number
  readonly circuitMs: number
  /** Between two imports of a run whose answers are shown as they come. */
  readonly showEveryMs: number
}

export const laneTerms: LaneTerms = {
  atOnce: 4,
  tries: 4,
  backoffMs: 1000,
  mostBackoffMs: 60_000,
  circuitFaults: 8,
  circuitMs: 60_000,
  showEveryMs: 10_000,
}

/**
 * The pace of one key. A provider limits keys, not questions: what it asks to wait holds for all questions of the key.
 * So no library that repeats a single call does.
 */
export class Lane {
  readonly #terms: LaneTerms
  #faults = 0
  #refusals = 0
  #notBefore = 0
  /** Whether the provider has answered a question. */
  hasPassed = false

  constructor(terms: LaneTerms) {
    this.#terms = terms
  }

  /**
   * Waits until the key may be asked.
   * @param notBefore of the question, as `failed` gave it
   * @returns false where that is after `deadline`, or the signal fires
   */
  async turn(deadline: number, signal: AbortSignal, notBefore = 0): Promise<boolean> {
    for (;;) {
      const at = Math.max(this.#notBefore, notBefore)
      if (signal.aborted || Math.max(Date.now(), at) >= deadline) return false
      const waitMs = at - Date.now()
      if (waitMs <= 0) return true
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  passed(): void {
    this.hasPassed = true
    this.#faults = 0
    this.#refusals = 0
  }

  /** Takes a question that the provider refused. @returns whether so many in a row say that it refuses all of them */
  refused(): boolean {
    this.#refusals += 1
    return this.#refusals >= this.#terms.circuitFaults
  }

  /**
   * Takes a fault that may pass. A limit holds for all questions of the key, and so does the rest after many faults in a
   * row. Other faults are the question's own.
   * @returns when the question may be asked again, in milliseconds since 1970
   */
  failed({ kind, retryAfterMs }: AskFault): number {
    const { backoffMs, mostBackoffMs, circuitFaults, circuitMs } = this.#terms
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
