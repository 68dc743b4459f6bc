import { createHash } from 'node:crypto'

const lineFeed = 0x0a

/** Bytes of a log that are held, parsed and sent at once. A line is far shorter. */
export const blockBytes = 4 * 1024 * 1024

/** Reads a log ahead, takes bytes from it, and keeps the hash of all bytes taken. */
export class LogReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #signal: AbortSignal | undefined
  readonly #hash = createHash('sha256')
  #ahead: Buffer = Buffer.alloc(0)
  #position = 0
  #isEnded = false
  #isInLine = false

  /** @param signal ends the wait for more bytes: a pipe may stay silent for ever */
  constructor(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    this.#chunks = bytes[Symbol.asyncIterator]()
    this.#signal = signal
  }

  /** The bytes that are read but not taken. */
  get ahead(): Buffer {
    return this.#ahead
  }

  /** Number of bytes taken. */
  get position(): number {
    return this.#position
  }

  /** Whether the log ends with `ahead`. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Whether the signal ended the reading. */
  get isStopped(): boolean {
    return this.#signal?.aborted === true && !this.#isEnded
  }

  /** Whether the taken bytes end within a line. */
  get isInLine(): boolean {
    return this.#isInLine
  }

  /** Reads until `ahead` has `sizeBytes`, or the log ends, or the signal fires. */
  async fill(sizeBytes = blockBytes): Promise<void> {
    const pieces: Uint8Array[] = [this.#ahead]
    let size = this.#ahead.length
    while (size < sizeBytes && !this.#isEnded && !this.#signal?.aborted) {
      const step = await this.#next()
      if (step === 'stopped') break
      if (step.done) this.#isEnded = true
      else {
        pieces.push(step.value)
        size += step.value.length
      }
    }
    if (pieces.length > 1) this.#ahead = Buffer.concat(pieces, size)
  }

  /** Takes `sizeBytes` from `ahead`. */
  take(sizeBytes: number): void {
    if (sizeBytes === 0) return
    const taken = this.#ahead.subarray(0, sizeBytes)
    this.#hash.update(taken)
    this.#isInLine = taken.at(-1) !== lineFeed
    this.#position += taken.length
    this.#ahead = this.#ahead.subarray(sizeBytes)
  }

  /** SHA-256, in hex, of the taken bytes and the next `andBytes`. */
  digest(andBytes = 0): string {
    return this.#hash.copy().update(this.#ahead.subarray(0, andBytes)).digest('hex')
  }

  close(): void {
    // Not awaited: after a stop the source may still be waiting for its next bytes.
    Promise.resolve(this.#chunks.return?.()).catch(() => undefined)
  }

  #next(): Promise<IteratorResult<Uint8Array> | 'stopped'> {
    const step = this.#chunks.next()
    const signal = this.#signal
    if (!signal) return step
    return new Promise((resolve, reject) => {
      const stop = () => resolve('stopped')
      signal.addEventListener('abort', stop, { once: true })
      step.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    })
  }
}
