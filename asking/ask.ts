import { type AskedFrom, anywhere } from '../core/providers/place.ts'
import { readReply } from '../core/providers/read.ts'
import { type ProviderReply, withTargets } from '../core/providers/reply.ts'
import { type ProviderAccess, requestFor } from '../core/providers/request.ts'
import { type PrivateHost, privateHostFor } from '../core/sites/private-hosts.ts'
import { createGuard, Refused } from '../crawler/guard/guard.ts'
import { textOf } from '../crawler/net/body.ts'
import { type Chain, type Exchange, openChain } from '../crawler/net/chain.ts'
import { Failure, failureOf } from '../crawler/net/errors.ts'
import { limits } from '../crawler/net/limits.ts'
import { type Redirects, redirectsOf } from './redirects.ts'

/** What a provider answered, as sent and as read. */
export interface ProviderAnswer {
  /** The body, as the provider sent it. */
  readonly raw: string
  /** With the pages that redirects of the provider led to. */
  readonly reply: ProviderReply
  readonly redirects: Redirects
}

/** `key`: refused; `request`: this model or prompt is refused; `limited` and `unavailable`: later may pass. */
export type AskFaultKind = 'key' | 'request' | 'address' | 'limited' | 'unavailable' | 'unreadable'

/** A provider gave no answer. Neither the key nor the provider's own text is part of the message. */
export class AskFault extends Error {
  readonly kind: AskFaultKind
  /** What the provider asks to wait; null where it does not say. */
  readonly retryAfterMs: number | null
  constructor(kind: AskFaultKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'AskFault'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same question may get an answer later. */
  get mayPass(): boolean {
    return this.kind === 'limited' || this.kind === 'unavailable' || this.kind === 'unreadable'
  }
}

export interface AskOptions {
  /** Default: no place, and the language that the assistant chooses. */
  readonly from?: AskedFrom
  readonly signal?: AbortSignal
}

/** Asks the assistants of providers. */
export interface Asker {
  /**
   * Asks a prompt once, with web search on.
   * @throws {AskFault}
   * @throws the reason of the signal once it is aborted
   */
  ask(access: ProviderAccess, prompt: string, options?: AskOptions): Promise<ProviderAnswer>
  /**
   * Asks for a few tokens: whether key, address and model work.
   * @throws {AskFault}
   */
  test(access: ProviderAccess): Promise<void>
}

export interface AskLimits {
  /** Of a question, with its searches. */
  readonly askMs: number
  readonly testMs: number
  readonly bodyBytes: number
}

export const askLimits: AskLimits = {
  askMs: 180_000,
  testMs: 20_000,
  bodyBytes: 8 * 1024 * 1024,
}

function kindOf(status: number): AskFaultKind {
  if (status === 401 || status === 402 || status === 403) return 'key'
  if (status === 429) return 'limited'
  return status === 408 || status === 409 || status === 425 || status >= 500
    ? 'unavailable'
    : 'request'
}

function retryAfterOf(exchange: Exchange): number | null {
  const [text = ''] = exchange.header('retry-after')
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : null
}

/** The code of an error, which is a word. The text of an error may repeat the key, so nobody reads it. */
function codeIn(text: string): string {
  const codes = /"(?:code|type|status)"\s*:\s*"([A-Za-z][A-Za-z0-9_.]{0,60})"/.exec(text)
  return codes?.[1] === undefined ? '' : ` (${codes[1]})`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @throws {AskFault} where the key would cross the network in clear */
function refuseClearText(url: URL, privateHosts: readonly PrivateHost[]): void {
  const port = url.port === '' ? 80 : Number(url.port)
  if (url.protocol !== 'http:' || privateHostFor(privateHosts, url.hostname, port)) return
  throw new AskFault('address', `${url.origin} is not https.`)
}

function faultOf(error: unknown, host: string): AskFault {
  if (error instanceof AskFault) return error
  const failure = error instanceof Refused ? new Failure('refused', '') : failureOf(error)
  const { kind } = failure
  if (kind === 'refused') {
    return new AskFault('address', `${host} is a private address that ALLOW_PRIVATE_HOSTS lacks.`)
  }
  const what = kind === 'timeout' ? 'did not answer in time' : `does not answer (${kind})`
  return new AskFault(failure.isFinal ? 'address' : 'unavailable', `${host} ${what}.`)
}

/** @param privateHosts ALLOW_PRIVATE_HOSTS: providers that may have a private address, or speak plain http */
export function openAsker(
  privateHosts: readonly PrivateHost[],
  { askMs, testMs, bodyBytes }: AskLimits = askLimits,
): Asker {
  const guard = createGuard(privateHosts)

  async function read(
    exchange: Exchange,
    host: string,
    signal: AbortSignal | undefined,
  ): Promise<ProviderAnswer> {
    const { text: raw, isTooLong } = await textOf(exchange, bodyBytes)
    const { status } = exchange
    if (status !== 200) {
      const message = `${host} answered ${status}${codeIn(raw.slice(0, 2000))}.`
      throw new AskFault(kindOf(status), message, retryAfterOf(exchange))
    }
    const reply = isTooLong ? null : readReply(parsed(raw))
    if (reply !== null) {
      const redirects = await redirectsOf(reply.pages, guard, signal)
      return { raw, reply: withTargets(reply, redirects), redirects }
    }
    throw new AskFault('unreadable', `${host} answered with a body that is no answer.`)
  }

  async function send(
    access: ProviderAccess,
    prompt: string,
    { isTest, ms, from = anywhere, signal }: AskOptions & { isTest: boolean; ms: number },
  ): Promise<ProviderAnswer> {
    const { url, headers, body } = requestFor(access, prompt, { from, isTest })
    const address = new URL(url)
    refuseClearText(address, privateHosts)
    const own = { ...limits, headersMs: ms, silenceMs: ms, totalMs: ms }
    const chain: Chain = openChain(guard, own, signal)
    const sent = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      ...headers,
    }
    try {
      const exchange = await chain.request(address, 'POST', sent, JSON.stringify(body))
      try {
        return await read(exchange, address.host, signal)
      } finally {
        exchange.close()
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw faultOf(error, address.host)
    } finally {
      await chain.close()
    }
  }

  return {
    ask: (access, prompt, options) =>
      send(access, prompt, { ...options, isTest: false, ms: askMs }),
    test: async (access) => {
      await send(access, 'Reply with the word OK.', { isTest: true, ms: testMs })
    },
  }
}
