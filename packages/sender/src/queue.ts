const BATCH_EVENTS = 500
/** The tracker takes 1 MB. */
const BATCH_BYTES = 500_000

/** An event as JSON, its bytes, and since when it waits (Unix time in ms). */
export interface Waiting {
  readonly json: string
  readonly bytes: number
  readonly since: number
}

/** Events that wait in memory. If they become too many or too old, it drops the oldest and counts them. */
export class Queue {
  dropped = 0
  #events: Waiting[] = []
  #bytes = 0
  readonly #maxBytes: number
  readonly #maxAgeMs: number

  constructor(maxBytes: number, maxAgeMs: number) {
    this.#maxBytes = maxBytes
    this.#maxAgeMs = maxAgeMs
  }

  get length(): number {
    return this.#events.length
  }

  /** Whether a batch is full. */
  get isFull(): boolean {
    return this.#events.length >= BATCH_EVENTS || this.#bytes >= BATCH_BYTES
  }

  add(json: string): void {
    const bytes = new TextEncoder().encode(json).length
    this.#events.push({ json, bytes, since: Date.now() })
    this.#bytes += bytes
    this.#bound()
  }

  /** Takes the events of the next request, the oldest first. Empty when none wait. */
  take(): readonly Waiting[] {
    this.#bound()
    let count = 0
    let bytes = 0
    for (const event of this.#events) {
      if (count === BATCH_EVENTS || (count > 0 && bytes + event.bytes > BATCH_BYTES)) break
      bytes += event.bytes
      count++
    }
    this.#bytes -= bytes
    return this.#events.splice(0, count)
  }

  /** Takes back a batch that could not be sent. It stays the oldest. */
  putBack(batch: readonly Waiting[]): void {
    this.#events.unshift(...batch)
    for (const { bytes } of batch) this.#bytes += bytes
    this.#bound()
  }

  #bound(): void {
    const expired = Date.now() - this.#maxAgeMs
    let count = 0
    for (const { bytes, since } of this.#events) {
      if (this.#bytes <= this.#maxBytes && since >= expired) break
      this.#bytes -= bytes
      count++
    }
    if (count > 0) this.#events.splice(0, count)
    this.dropped += count
  }
}
