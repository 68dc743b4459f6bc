import {
  type LiveItem,
  merged,
  mergeKey,
  type ProjectEvent,
  recheck,
} from '../../core/live/events.ts'

/** What waits for one reader at most. */
const mostWaiting = 100

/**
 * The events of one reader. Events that wait for a slow reader merge by what they are about, so that few wait. Of too
 * many, the reader learns only that it missed some.
 */
export class LiveStream implements AsyncIterableIterator<LiveItem, undefined> {
  readonly #waiting = new Map<ReturnType<typeof mergeKey>, LiveItem>()
  readonly #onEnd: () => void
  #wake: ((result: IteratorResult<LiveItem, undefined>) => void) | undefined
  #isOver = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  push(item: LiveItem): void {
    if (this.#isOver) return
    if (this.#wake) {
      this.#wake({ value: item, done: false })
      this.#wake = undefined
      return
    }
    const key = mergeKey(item)
    const earlier = this.#waiting.get(key)
    if (earlier === undefined && this.#waiting.size >= mostWaiting) this.#shorten(item)
    else this.#waiting.set(key, earlier === undefined ? item : merged(earlier, item))
  }

  #shorten(item: LiveItem): void {
    const event = [...this.#waiting.values(), item].findLast((one) => one !== recheck)
    const isChecked = item === recheck || this.#waiting.has(recheck)
    this.#waiting.clear()
    if (isChecked) this.#waiting.set(recheck, recheck)
    if (event === undefined) return
    const { projectId, at } = event as ProjectEvent
    const missed = { kind: 'updates_missed', projectId, at } as const
    this.#waiting.set(mergeKey(missed), missed)
  }

  /** Has the reader's key checked at once. */
  recheck(): void {
    this.push(recheck)
  }

  /** Ends the stream for the reader. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting.clear()
    this.#wake?.({ value: undefined, done: true })
    this.#wake = undefined
    this.#onEnd()
  }

  next(): Promise<IteratorResult<LiveItem, undefined>> {
    const [first] = this.#waiting
    if (first !== undefined) {
      this.#waiting.delete(first[0])
      return Promise.resolve({ value: first[1], done: false })
    }
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  return(): Promise<IteratorResult<LiveItem, undefined>> {
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
