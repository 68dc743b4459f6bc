import { createHash } from 'node:crypto'

const lineFeed = 0x0a

/** How much of a log is held, parsed and sent at once, in bytes. A line is far shorter. */
export const blockBytes = 4 * 1024 * 1024

/** A log as a stream that is looked at before it is taken, and that knows the hash of what was taken. */
export class LogReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #signal: AbortSignal | undefined
  readonly #hash = createHash('sha256')
  #ahead: Buffer = Buffer.alloc(0)
  #position = 0
  #isEnded = false
  #isInLine = false

  /** @param signal ends the wait for more: a pipe may stay silent for ever */
  constructor(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    this.#chunks = bytes[Symbol.asyncIterator]()
    this.#signal = signal
  }

  /** What is held and not taken yet. */
  get ahead(): Buffer {
    return this.#ahead
  }

  /** How many bytes were taken. */
  get position(): number {
    return this.#position
  }

  /** The log has no more than `ahead`. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The signal has ended the reading. */
  get isStopped(): boolean {
    return this.#signal?.aborted === true && !this.#isEnded
  }

  /** What was taken ends within a line. */
  get isInLine(): boolean {
    return this.#isInLine
  }

  /** Reads until `ahead` has that many bytes, or there are no more, or the signal fires. */
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

  /** Takes so many bytes of `ahead`. */
  take(sizeBytes: number): void {
    if (sizeBytes === 0) return
    const taken = this.#ahead.subarray(0, sizeBytes)
    this.#hash.update(taken)
    this.#isInLine = taken.at(-1) !== lineFeed
    this.#position += taken.length
    this.#ahead = this.#ahead.subarray(sizeBytes)
  }

  /** SHA-256, in hex, of what was taken and of so many bytes after it. */
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
