import { TurnLate, Turns } from '../turns.ts'
import { memoryBusy, tooLarge } from './under-load.ts'

/** Work of a request between two turns of the event loop: some ten milliseconds. */
const sliceBytes = 1024 * 1024

/** A byte of rows takes as many bytes of memory. */
const bytesOfRow = 5

const patienceMs = 60_000

/**
 * Turns of the event loop for work that takes long: one at a time, and of the keys that wait each in its turn. Between two of
 * them all other requests go on.
 */
export function loopTurns() {
  const turns = new Turns({ total: 1, perName: 1 })
  return async (key: string): Promise<void> => {
    const giveBack = await turns.take(key, patienceMs)
    setImmediate(giveBack)
  }
}

export interface WorkOptions {
  /** Bytes that the request may make in memory. */
  readonly most: number
  /** Waits for memory that all large requests share. */
  readonly hold: ((bytes: number) => Promise<void>) | undefined
  /** Waits for a turn of the event loop. */
  readonly turn: () => Promise<void>
}

interface Waiting {
  readonly bytes: number
  readonly begin: () => void
}

/**
 * What one request makes in memory while it runs, whatever its cost said. A large request waits for memory and lets others
 * go on. One that makes too much ends.
 */
export class RequestWork {
  readonly #options: WorkOptions
  readonly #waiting = new Set<Waiting>()
  readonly #over = Promise.withResolvers<never>()
  #taken = 0
  #slice = 0
  #isOver = false

  /** For what a request that has ended would go on with. It is the garbage of its request. */
  readonly never = new Promise<never>(() => undefined)

  constructor(options: WorkOptions) {
    this.#options = options
    this.#over.promise.catch(() => undefined)
  }

  /** Rejects with the fault that ends the request. */
  get over(): Promise<never> {
    return this.#over.promise
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether the work is that of a large request. */
  get isLarge(): boolean {
    return this.#taken > sliceBytes
  }

  /** Counts bytes. @returns what to wait for before they are made; undefined for most requests */
  take(bytes: number): Promise<void> | undefined {
    this.count(bytes)
    if (this.#isOver) return this.never
    if (this.#waiting.size === 0 && this.#slice <= sliceBytes) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add({ bytes, begin: resolve })
    if (this.#waiting.size === 1) void this.#goOn()
    return promise
  }

  /** Counts bytes that are there already. */
  count(bytes: number): void {
    this.#taken += bytes
    this.#slice += bytes
    const { most } = this.#options
    if (this.#taken <= most) return
    const limit = Math.round(most / 1024 ** 2)
    this.#end(
      tooLarge(`The request makes more than ${limit} MB in memory. Ask for fewer rows at a time.`),
    )
  }

  #end(fault: unknown): void {
    this.#isOver = true
    this.#waiting.clear()
    this.#over.reject(fault)
  }

  async #goOn(): Promise<void> {
    const { hold, turn } = this.#options
    try {
      while (this.#waiting.size > 0) {
        await hold?.(sliceBytes / bytesOfRow)
        await turn()
        this.#slice = 0
        for (const one of this.#waiting) {
          if (this.#slice >= sliceBytes) break
          this.#slice += one.bytes
          this.#waiting.delete(one)
          one.begin()
        }
      }
    } catch (error) {
      this.#end(error instanceof TurnLate ? memoryBusy(error) : error)
    }
  }
}
