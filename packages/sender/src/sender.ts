import { eventJson, type SiteRequest } from './event.ts'
import { Queue, type Waiting } from './queue.ts'

export type { SiteRequest } from './event.ts'

export interface SenderOptions {
  /** Where `POST /v1/events` is: `https://tracker.example.com`. Default: `SIGHTLINE_TRACKER`. */
  readonly tracker?: string | undefined
  /** `sk_live_…`. Default: `SIGHTLINE_INGEST_KEY`. */
  readonly ingestKey?: string | undefined
  /** `st_…`. Default: `SIGHTLINE_SITE_TOKEN`. */
  readonly siteToken?: string | undefined
  /** Where the three variables are. Default: `process.env`. */
  readonly environment?: object | undefined
  /** How long an event waits for others. Default 2 s. */
  readonly flushMs?: number | undefined
  /** How long the tracker may take to answer. Default 10 s. */
  readonly timeoutMs?: number | undefined
  /** The pause after a failure, doubled by each one, up to a minute. Default 1 s. */
  readonly retryMs?: number | undefined
  /** How long an event is retried before it is dropped. Default 24 hours. */
  readonly deadlineMs?: number | undefined
  /** Memory of waiting events. Default 8 MB. */
  readonly maxQueueBytes?: number | undefined
  /** Called at the first failure of a kind, not at each. Default `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined
}

/** Numbers of events since the start. */
export interface Counts {
  /** The tracker answered 202. */
  readonly sent: number
  /** Of the sent ones, requests of known crawlers, which the tracker keeps. */
  readonly kept: number
  /** Too many waited, or one waited too long, or its URL was not a URL. */
  readonly dropped: number
  /** The tracker refused them, for example because of a wrong key. */
  readonly refused: number
}

const LONGEST_RETRY_MS = 60_000
/** The batch was not stored, or the result is unknown: retry. */
const TRY_AGAIN = [429, 502, 503, 504]

/**
 * Sends events in the background. It never throws, never delays a request, and lets the process end. Waiting events
 * are only in memory.
 */
export class Sender {
  readonly #queue: Queue
  readonly #counts = { sent: 0, kept: 0, dropped: 0, refused: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  /** The failure that was reported last, until a batch arrives. */
  #reported: string | undefined
  /** Ends the pause before the next retry. */
  #wake = () => {}
  /** Resolves when no event waits. */
  #empty: PromiseWithResolver | undefined
  readonly #endpoint: string
  readonly #authorization: string
  readonly #siteToken: string
  readonly #isReady: boolean
  readonly #flushMs: number
  readonly #timeoutMs: number
  readonly #retryMs: number
  readonly #warn: (message: string) => void

  constructor(options: SenderOptions = {}) {
    const environment = { ...(options.environment ?? processOf()?.env) } as Record<string, unknown>
    const tracker = options.tracker ?? environment.SIGHTLINE_TRACKER
    const ingestKey = options.ingestKey ?? environment.SIGHTLINE_INGEST_KEY
    const siteToken = options.siteToken ?? environment.SIGHTLINE_SITE_TOKEN
    this.#endpoint = `${String(tracker).replace(/\/+$/, '')}/v1/events`
    this.#authorization = `Bearer ${ingestKey}`
    this.#siteToken = String(siteToken)
    this.#isReady = URL.canParse(this.#endpoint) && Boolean(ingestKey && siteToken)
    this.#flushMs = options.flushMs ?? 2_000
    this.#timeoutMs = options.timeoutMs ?? 10_000
    this.#retryMs = options.retryMs ?? 1_000
    this.#queue = new Queue(options.maxQueueBytes ?? 8_000_000, options.deadlineMs ?? 86_400_000)
    // biome-ignore lint/suspicious/noConsole: a site has its own logger, and passes it as `warn`.
    this.#warn = options.warn ?? ((message) => console.warn(message))
    if (this.#isReady) return
    this.#report(
      'SIGHTLINE_TRACKER, SIGHTLINE_INGEST_KEY or SIGHTLINE_SITE_TOKEN is missing: nothing is sent.',
    )
  }

  get counts(): Counts {
    const { dropped, ...counts } = this.#counts
    return { ...counts, dropped: dropped + this.#queue.dropped }
  }

  /** Number of waiting events, without those of a request under way. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Queues a request for sending. */
  send(request: SiteRequest): void {
    if (!this.#isReady) return
    try {
      this.#queue.add(eventJson(request))
    } catch {
      this.#counts.dropped++
      return
    }
    if (this.#queue.isFull) this.#sendAll()
    else if (this.#timer === undefined && this.#sending === undefined) {
      this.#timer = unreferenced(setTimeout(this.#sendAll, this.#flushMs))
      processOf()?.once('beforeExit', this.#sendAll)
    }
  }

  /**
   * Sends all waiting events now. Resolves when none wait, or when the time is up: call it before `process.exit`. It
   * keeps the process alive while a retry waits.
   */
  async flush(withinMs = 5_000): Promise<void> {
    this.#wake()
    await within(withinMs, this.#sendAll())
  }

  /**
   * Waits for the events without sending them earlier, so that they still share requests: for `waitUntil`. Resolves
   * when none wait, or when the time is up.
   */
  async settled(withinMs = 5_000): Promise<void> {
    if (this.#timer === undefined && this.#sending === undefined) return
    this.#empty ??= promiseWithResolver()
    await within(withinMs, this.#empty.promise)
  }

  #sendAll = (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    processOf()?.off('beforeExit', this.#sendAll)
    this.#sending ??= this.#sendBatches().finally(() => {
      this.#sending = undefined
      this.#empty?.resolve()
      this.#empty = undefined
    })
    return this.#sending
  }

  async #sendBatches(): Promise<void> {
    let retryMs = this.#retryMs
    for (let batch = this.#queue.take(); batch.length > 0; batch = this.#queue.take()) {
      const afterMs = await this.#post(batch)
      if (afterMs === undefined) {
        retryMs = this.#retryMs
        continue
      }
      this.#queue.putBack(batch)
      // Spread the retries of many servers over time.
      await this.#pause(Math.max(afterMs, retryMs * (0.5 + Math.random() / 2)))
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
    }
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = promiseWithResolver()
    this.#wake = resolve
    unreferenced(setTimeout(resolve, ms))
    await promise
  }

  /** Sends a batch once. @returns the least milliseconds until a retry, or undefined when it is done */
  async #post(batch: readonly Waiting[]): Promise<number | undefined> {
    const events = batch.map(({ json }) => json).join(',')
    try {
      const response = await fetch(this.#endpoint, {
        method: 'POST',
        headers: { authorization: this.#authorization, 'content-type': 'application/json' },
        body: `{"site_token":${JSON.stringify(this.#siteToken)},"events":[${events}]}`,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      const text = await response.text()
      if (TRY_AGAIN.includes(response.status)) {
        const seconds = Number(response.headers.get('retry-after'))
        this.#report(`the tracker answers ${response.status}. Events wait for it.`)
        return Math.min(seconds > 0 ? seconds * 1_000 : 0, LONGEST_RETRY_MS)
      }
      this.#counts[response.ok ? 'sent' : 'refused'] += batch.length
      if (response.ok) {
        this.#counts.kept += Number(response.headers.get('sightline-kept')) || 0
        this.#reported = undefined
      } else this.#report(`events refused: ${response.status} ${text.slice(0, 300)}`)
      return undefined
    } catch (error) {
      const reason = error instanceof Error ? (error.cause ?? error) : error
      this.#report(`no tracker (${reason}). Events wait for it.`)
      return 0
    }
  }

  #report(message: string): void {
    if (message === this.#reported) return
    this.#reported = message
    try {
      this.#warn(`Sightline: ${message}`)
    } catch {
      // A logger that fails must not stop the events.
    }
  }
}

/** Node's process. Edge runtimes have none, or one without events. */
function processOf(): typeof globalThis.process | undefined {
  const { process } = globalThis
  return typeof process?.once === 'function' && typeof process.off === 'function'
    ? process
    : undefined
}

interface PromiseWithResolver {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

/** `Promise.withResolvers` needs Node.js 22. */
function promiseWithResolver(): PromiseWithResolver {
  let resolve = () => {}
  const promise = new Promise<void>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeUp])
  clearTimeout(timer)
}

/** Lets the process end before the timer. On edge runtimes a timer is a number. */
function unreferenced(timer: ReturnType<typeof setTimeout>): ReturnType<typeof setTimeout> {
  if (typeof timer === 'object' && 'unref' in timer) timer.unref()
  return timer
}
