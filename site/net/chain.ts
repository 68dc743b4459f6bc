import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type Destination, type Guard, Refused } from '../guard/guard.ts'
import { isPublicAddress, plainAddress } from '../guard/public-address.ts'
import { Failure, failureOf } from './errors.ts'
import type { Limits } from './limits.ts'

export interface Exchange {
  readonly status: number
  /** One text for each line of a header, by its name in lower case. */
  header(name: string): readonly string[]
  /** From the request to the end of the headers. */
  readonly firstByteMs: number
  /** The body as sent. Reading may throw an error of the connection. */
  readonly body: AsyncIterable<Uint8Array>
  /** Lifts the limit of the whole time, for a body that is read as slowly as its reader works. */
  untimed(): void
  /** Ends the exchange; the unread rest of the body is dropped. */
  close(): void
}

/** Requests that follow one address, with connections of their own: each host is resolved once. */
export interface Chain {
  /**
   * @param body of a POST
   * @throws {Failure}
   * @throws the reason of `signal` once it is aborted
   */
  request(address: URL, method: Method, headers: Headers, body?: string): Promise<Exchange>
  /** Takes the time of an answer from the limit of the whole chain. */
  spend(ms: number): void
  close(): Promise<void>
}

type Headers = Readonly<Record<string, string>>
type Method = 'GET' | 'HEAD' | 'POST'

/** Ends with a `timeout` failure unless the work ends before. The work goes on unheard. */
async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Failure('timeout', `${what} took over ${ms} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => {})
  }
}

/** Connects to a checked address alone, and looks at the address again that it reached. */
function connectorOf(destinations: ReadonlyMap<string, Destination>, limits: Limits) {
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`)
    const destination = destinations.get(url.origin)
    if (destination === undefined) {
      callback(new Refused(url, 'was not checked'), null)
      return
    }
    const { addresses, port, isExempt } = destination
    const lookup: LookupFunction = (_, { all }, done) => {
      const [first] = addresses
      if (all) done(null, [...addresses])
      else done(null, first?.address ?? '', first?.family)
    }
    // Node.js calls no lookup for an IP address: the literal itself is the checked one.
    const literal = addresses.length === 1 ? addresses[0]?.address : undefined
    const connect = buildConnector({
      lookup,
      timeout: limits.connectMs,
      allowH2: false,
      maxCachedSessions: 0,
      autoSelectFamily: true,
    })
    const allowed = new Set(addresses.map(({ address }) => plainAddress(address)))
    const hostname = literal ?? options.hostname
    connect({ ...options, hostname, port: String(port) }, (...result) => {
      const [error, socket] = result
      if (error !== null) return callback(error, null)
      const remote = socket.remoteAddress ?? ''
      if (allowed.has(plainAddress(remote)) && (isExempt || isPublicAddress(remote))) {
        return callback(null, socket)
      }
      socket.destroy()
      callback(new Refused(url, `reached ${remote || 'no address'}`), null)
    })
  }
}

function linesOf(value: string | string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

export function openChain(guard: Guard, limits: Limits, signal?: AbortSignal): Chain {
  const destinations = new Map<string, Destination>()
  let leftMs = limits.totalMs
  const agent = new Agent({
    connect: connectorOf(destinations, limits),
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.silenceMs,
    maxHeaderSize: limits.headerBytes,
    pipelining: 1,
  })

  async function exchange(
    url: URL,
    sent: { method: Method; headers: Headers; body?: string | undefined },
    total: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    if (!destinations.has(url.origin)) {
      const found = await within(limits.dnsMs, 'DNS', guard.resolve(url))
      destinations.set(url.origin, found)
    }
    total.throwIfAborted()
    const path = url.pathname + url.search
    return agent.request({
      origin: url.origin,
      path,
      ...sent,
      body: sent.body ?? null,
      signal: total,
    })
  }

  return {
    async request(address, method, headers, sent) {
      const late = new AbortController()
      const timer = setTimeout(() => {
        late.abort(new Failure('timeout', `the answer took over ${limits.totalMs} ms`))
      }, leftMs)
      const total = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal])
      const began = performance.now()
      try {
        const asked = { method, headers, body: sent }
        const { statusCode, headers: found, body } = await exchange(address, asked, total)
        return {
          status: statusCode,
          header: (name) => linesOf(found[name]),
          firstByteMs: Math.round(performance.now() - began),
          body,
          untimed: () => clearTimeout(timer),
          close() {
            clearTimeout(timer)
            body.on('error', () => {}).destroy()
          },
        }
      } catch (error) {
        clearTimeout(timer)
        signal?.throwIfAborted()
        throw failureOf(error)
      }
    },
    spend(ms) {
      leftMs = Math.max(leftMs - ms, 0)
    },
    close: () => agent.destroy(),
  }
}
