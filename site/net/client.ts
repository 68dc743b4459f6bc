import { setTimeout as sleep } from 'node:timers/promises'
import type { Guard } from '../guard/guard.ts'
import { type Chain, type Exchange, openChain } from './chain.ts'
import { Failure, failureOf } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Pace } from './pace.ts'

export type Method = 'GET' | 'HEAD'

export interface Client {
  readonly guard: Guard
  readonly limits: Limits
  readonly pace: Pace
  /** Connections for one address and its redirects. */
  open(): Chain
  /**
   * Asks at the pace of the host, and tries again: twice after a failed connection, 429 or 5xx, once after a timeout.
   * @param use reads what it needs of the answer, within the same try
   * @throws {Failure} of the last try
   */
  ask<T>(
    chain: Chain,
    url: URL,
    method: Method,
    use: (exchange: Exchange) => Promise<T>,
  ): Promise<T>
  /**
   * Asks like `ask`, and leaves a body that is not closed yet. The limit of the whole time counts waiting for the
   * server alone.
   */
  stream(chain: Chain, url: URL): Promise<Exchange>
  /** Like `ask`, with one try. */
  askOnce<T>(
    chain: Chain,
    url: URL,
    method: Method,
    use: (exchange: Exchange) => Promise<T>,
  ): Promise<T>
}

export interface ClientOptions {
  readonly guard: Guard
  readonly limits: Limits
  readonly pace: Pace
  readonly userAgent: string
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds of `Retry-After`, in seconds or as a date; 0 for another text. */
function retryAfterMs(exchange: Exchange, now: number): number {
  const [text = ''] = exchange.header('retry-after')
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0)
}

/** Another try may get another answer. A server that does not know the method (501) stays so. */
const mayHelp = (status: number) => status === 429 || (status >= 500 && status !== 501)

/** Ends with a timeout once the reader has waited so long for all the bytes together. */
async function* waitingAtMost(
  body: AsyncIterable<Uint8Array>,
  ms: number,
): AsyncGenerator<Uint8Array, void> {
  let waitedMs = 0
  let began = performance.now()
  for await (const chunk of body) {
    waitedMs += performance.now() - began
    if (waitedMs > ms) throw new Failure('timeout', `the answer took over ${ms} ms`)
    yield chunk
    began = performance.now()
  }
}

export function createClient({ guard, limits, pace, userAgent, signal }: ClientOptions): Client {
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, br',
  }

  async function begin(chain: Chain, url: URL, method: Method): Promise<Exchange> {
    const exchange = await chain.request(url, method, headers)
    if (exchange.status === 429 || exchange.status === 503) {
      const ms = retryAfterMs(exchange, Date.now())
      pace.postpone(url.hostname, Math.min(ms, limits.retryAfterMs))
    }
    return exchange
  }

  interface Attempted<T> {
    readonly status: number
    readonly value: T
    readonly ms: number
  }
  type Attempt<T> = () => Promise<Attempted<T>>

  const attempt =
    <T>(
      chain: Chain,
      url: URL,
      method: Method,
      use: (exchange: Exchange) => Promise<T>,
    ): Attempt<T> =>
    () =>
      pace.turn(url.hostname, async () => {
        const began = performance.now()
        const exchange = await begin(chain, url, method)
        try {
          const value = await use(exchange)
          return { status: exchange.status, value, ms: performance.now() - began }
        } finally {
          exchange.close()
        }
      })

  const pause = (tries: number) =>
    sleep(limits.retryMs[tries - 1], undefined, signal === undefined ? {} : { signal })

  /** A try that fails takes no time from the limit of the chain: the next one begins where it began. */
  async function retried<T>(chain: Chain, once: Attempt<T>, drop: (value: T) => void): Promise<T> {
    let timeouts = 0
    for (let tries = 1; ; tries++) {
      const isLast = tries > limits.retryMs.length
      try {
        const { status, value, ms } = await once()
        if (isLast || !mayHelp(status)) {
          chain.spend(ms)
          return value
        }
        drop(value)
      } catch (error) {
        signal?.throwIfAborted()
        const failure = failureOf(error)
        if (failure.kind === 'timeout') timeouts++
        if (isLast || failure.isFinal || timeouts > 1) throw failure
      }
      await pause(tries)
    }
  }

  return {
    guard,
    limits,
    pace,
    open: () => openChain(guard, limits, signal),
    ask: (...request) => retried(request[0], attempt(...request), () => {}),
    async stream(chain, url) {
      const once = async () => {
        const value = await pace.turn(url.hostname, () => begin(chain, url, 'GET'))
        return { status: value.status, value, ms: value.firstByteMs }
      }
      const exchange = await retried(chain, once, (value) => value.close())
      exchange.untimed()
      return { ...exchange, body: waitingAtMost(exchange.body, limits.totalMs) }
    },
    async askOnce(...request) {
      try {
        const { value, ms } = await attempt(...request)()
        request[0].spend(ms)
        return value
      } catch (error) {
        signal?.throwIfAborted()
        throw failureOf(error)
      }
    },
  }
}
