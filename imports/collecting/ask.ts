import type { AskFaultKind } from '../../core/collecting/providers/fault.ts'
import { modelsIn, modelsRequest } from '../../core/collecting/providers/models.ts'
import { type AskedFrom, anywhere } from '../../core/collecting/providers/place.ts'
import type { ProviderRequest } from '../../core/collecting/providers/question.ts'
import { faultIn, readReply } from '../../core/collecting/providers/read.ts'
import { wordsWithoutKey } from '../../core/collecting/providers/redact.ts'
import { type ProviderReply, withTargets } from '../../core/collecting/providers/reply.ts'
import { type ProviderAccess, requestFor } from '../../core/collecting/providers/request.ts'
import { retryAfterMs as retryAfterMsOf } from '../../core/collecting/providers/retry-after.ts'
import { joinedBodies, serpApiFollowUp } from '../../core/collecting/providers/search/serpapi.ts'
import { joinedTurns, nextTurn } from '../../core/collecting/providers/turns.ts'
import { jsonIn } from '../../core/json.ts'
import { mayBeClear, type PrivateHost } from '../../core/sites/private-hosts.ts'
import { createGuard, Refused } from '../../site/guard/guard.ts'
import { textOf } from '../../site/net/body.ts'
import { type Chain, type Exchange, openChain } from '../../site/net/chain.ts'
import { Failure, failureOf } from '../../site/net/errors.ts'
import { limits } from '../../site/net/limits.ts'
import { type Redirects, redirectsOf } from './redirects.ts'
import { isStream, readStream } from './streams.ts'

/** What a provider answered, as sent and as read. */
export interface ProviderAnswer {
  /** The body, as the provider sent it; of a stream, the body that its events make up. Without the key. */
  readonly raw: string
  /** With the pages that redirects of the provider led to. */
  readonly reply: ProviderReply
  readonly redirects: Redirects
}

type AskFaultFacts = Partial<
  Pick<AskFault, 'retryAfterMs' | 'paused' | 'words' | 'failure' | 'status'>
>

/** A provider gave no answer. The message has the provider's own words, without the key. */
export class AskFault extends Error {
  readonly kind: AskFaultKind
  /** What the provider asks to wait; null where it does not say. */
  readonly retryAfterMs: number | null
  /** The bodies of a turn that the provider paused, and that has not gone on. They are paid for. */
  readonly paused: readonly string[]
  /** What the provider says, without the key; empty where it says nothing. */
  readonly words: string
  /** Why no answer came; null where one came. */
  readonly failure: Failure['kind'] | null
  /** Of HTTP; null where no answer came. */
  readonly status: number | null
  constructor(
    kind: AskFaultKind,
    message: string,
    {
      retryAfterMs = null,
      paused = [],
      words = '',
      failure = null,
      status = null,
    }: AskFaultFacts = {},
  ) {
    super(message)
    this.name = 'AskFault'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.paused = paused
    this.words = words
    this.failure = failure
    this.status = status
  }

  /** Whether the key can ask nothing more. */
  get endsKey(): boolean {
    return this.kind === 'key' || this.kind === 'model'
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
  /** Bodies of a turn to go on with, as a fault has them. */
  readonly paused?: readonly string[]
}

/** A body that a service sent, as it is stored and as JSON. */
export interface SentBody {
  readonly raw: string
  readonly body: unknown
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
   * Asks for a few tokens, or for the account: whether key, address and model work.
   * @throws {AskFault}
   */
  test(access: ProviderAccess): Promise<void>
  /**
   * The models that a key may use, by the list of its provider.
   * @returns null for a provider without a list
   * @throws {AskFault}
   */
  models(access: ProviderAccess): Promise<readonly string[] | null>
  /**
   * Sends one request with a key, of which the caller reads the body.
   * @throws {AskFault}
   * @throws the reason of the signal once it is aborted
   */
  send(access: ProviderAccess, request: ProviderRequest, signal?: AbortSignal): Promise<SentBody>
  /** The pages behind the redirects of a reply. */
  redirectsOf(reply: ProviderReply, signal?: AbortSignal): Promise<Redirects>
}

export interface AskLimits {
  /** Of a question, with its searches. */
  readonly askMs: number
  readonly testMs: number
  /** Of a request to a service that answers by tasks. */
  readonly taskMs: number
  readonly bodyBytes: number
}

export const askLimits: AskLimits = {
  askMs: 180_000,
  testMs: 20_000,
  taskMs: 60_000,
  bodyBytes: 8 * 1024 * 1024,
}

/** Requests for one question, to a provider that pauses its turn again and again. */
const mostTurns = 6

type Body = SentBody

/** Shorter secrets are words that a body may have by chance. */
const leastSecret = 12

/** A body is kept for good, and some repeat the request. */
const withoutKey = (text: string, secret: string) =>
  secret.length < leastSecret ? text : text.replaceAll(secret, '***')

const unreadable = (host: string, what = 'a body that is no answer') =>
  new AskFault('unreadable', `${host} answered with ${what}.`)

/** @throws {AskFault} */
function replyIn(body: unknown, host: string): ProviderReply {
  const reply = readReply(body)
  if (reply === null) throw unreadable(host)
  return reply
}

/** The error of an answer: by its HTTP status, or inside its body. */
function faultOfAnswer(
  answer: Exchange,
  host: string,
  body: unknown,
  { secret, isLook }: { readonly secret: string; readonly isLook: boolean },
) {
  const { status } = answer
  const found = faultIn(status, body, isLook)
  if (found === null) return null
  const code = found.code && ` (${wordsWithoutKey(found.code, secret)})`
  const words = wordsWithoutKey(found.words, secret)
  const message = `${host} answered ${status}${code}${words && `: "${words}"`}.`
  const retryAfterMs = retryAfterMsOf(answer.header('retry-after')[0] ?? '') ?? found.waitMs
  return new AskFault(found.kind, message, { retryAfterMs, words, status })
}

/** @throws {AskFault} */
async function streamed(text: string, host: string): Promise<Body> {
  const read = await readStream(text)
  if ('problem' in read) throw unreadable(host, read.problem)
  return { raw: JSON.stringify(read.body), body: read.body }
}

/** @throws {AskFault} where the key would cross the network in clear */
function refuseClearText(url: URL, privateHosts: readonly PrivateHost[]): void {
  if (url.protocol !== 'http:' || mayBeClear(privateHosts, url)) return
  throw new AskFault('address', `${url.origin} is not https.`)
}

function faultOf(error: unknown, host: string, paused: readonly string[]): AskFault {
  if (error instanceof AskFault) {
    const { kind, message, retryAfterMs, words, failure, status } = error
    return new AskFault(kind, message, { retryAfterMs, words, failure, status, paused })
  }
  const failure = error instanceof Refused ? new Failure('refused', '') : failureOf(error)
  const { kind } = failure
  if (kind === 'refused') {
    const message = `${host} is a private address that ALLOW_PRIVATE_HOSTS lacks.`
    return new AskFault('address', message, { paused })
  }
  const what = kind === 'timeout' ? 'did not answer in time' : `does not answer (${kind})`
  const facts = { paused, failure: kind }
  return new AskFault(failure.isFinal ? 'address' : 'unavailable', `${host} ${what}.`, facts)
}

/**
 * What to send next: the request itself, the overview that Google loads late, or what goes on with a turn that the
 * provider paused. Null when the answer is complete.
 * @param turns the bodies so far
 */
function nextRequest(
  access: ProviderAccess,
  request: ProviderRequest,
  turns: readonly Body[],
): ProviderRequest | null {
  const [first] = turns
  if (!first) return request
  if (access.provider === 'serpapi') {
    return turns.length === 1 ? serpApiFollowUp(access, first.body) : null
  }
  return turns.length < mostTurns ? nextTurn(request, turns) : null
}

/** The bodies of an answer as one. */
function joined({ provider }: ProviderAccess, turns: readonly Body[]): Body {
  const [first, second] = turns
  if (first && !second) return first
  const raws = turns.map(({ raw }) => raw)
  const [google = '', overview = ''] = raws
  const raw = provider === 'serpapi' ? joinedBodies(google, overview) : joinedTurns(raws)
  return { raw, body: jsonIn(raw) }
}

interface SendOptions {
  /** Of each request. */
  readonly ms: number
  readonly signal?: AbortSignal | undefined
  readonly paused?: readonly string[] | undefined
}

/** @param privateHosts ALLOW_PRIVATE_HOSTS: providers that may have a private address, or speak plain http */
export function openAsker(
  privateHosts: readonly PrivateHost[],
  { askMs, testMs, taskMs, bodyBytes }: AskLimits = askLimits,
): Asker {
  const guard = createGuard(privateHosts)

  /**
   * Sends a request and those that complete its answer, each in the time, and reads what they gave as one body.
   * @throws {AskFault}
   */
  async function send<Read>(
    access: ProviderAccess,
    request: ProviderRequest,
    { ms, signal, paused = [] }: SendOptions,
    read: (body: Body, host: string) => Read | Promise<Read>,
  ): Promise<Read> {
    const { secret } = access
    const { host } = new URL(request.url)
    refuseClearText(new URL(request.url), privateHosts)
    const own = { ...limits, headersMs: ms, silenceMs: ms, totalMs: ms }
    const chain: Chain = openChain(guard, own, signal)
    const turns = paused.map((raw): Body => ({ raw, body: jsonIn(raw) }))
    try {
      for (;;) {
        const next = nextRequest(access, request, turns)
        if (next === null) break
        const began = performance.now()
        const body = next.body === null ? undefined : JSON.stringify(next.body)
        const sent = {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          accept: 'application/json',
          'accept-encoding': 'gzip, br',
          ...next.headers,
        }
        const method = body === undefined ? 'GET' : 'POST'
        const answer = await chain.request(new URL(next.url), method, sent, body)
        try {
          const { text, isTooLong } = await textOf(answer, bodyBytes)
          const raw = withoutKey(text, secret)
          const one = { raw, body: jsonIn(raw) }
          const isLook = next.isLook === true
          const fault = faultOfAnswer(answer, host, one.body, { secret, isLook })
          if (fault) throw fault
          if (isTooLong) throw unreadable(host)
          turns.push(isStream(raw) ? await streamed(raw, host) : one)
        } finally {
          answer.close()
        }
        // A turn has the whole time again, both requests to SerpApi have it together.
        if (access.provider === 'serpapi') chain.spend(performance.now() - began)
      }
      return await read(joined(access, turns), host)
    } catch (error) {
      signal?.throwIfAborted()
      const isPaused = nextTurn(request, turns) !== null
      throw faultOf(error, host, isPaused ? turns.map(({ raw }) => raw) : [])
    } finally {
      await chain.close()
    }
  }

  return {
    ask: (access, prompt, { from = anywhere, signal, paused } = {}) =>
      send(
        access,
        requestFor(access, prompt, { from }),
        { ms: askMs, signal, paused },
        async ({ raw, body }, host) => {
          const reply = replyIn(body, host)
          const redirects = await redirectsOf(reply.pages, guard, signal)
          return { raw, reply: withTargets(reply, redirects), redirects }
        },
      ),
    test: async (access) => {
      const request = requestFor(access, 'Reply with the word OK.', { isTest: true })
      await send(access, request, { ms: testMs }, ({ body }, host) => {
        if (!request.isAccount || body === null) replyIn(body, host)
      })
    },
    send: (access, request, signal) =>
      send(access, request, { ms: taskMs, signal }, (body, host) => {
        if (body.body === null) throw unreadable(host)
        return body
      }),
    redirectsOf: (reply, signal) => redirectsOf(reply.pages, guard, signal),
    models: async (access) => {
      const request = modelsRequest(access)
      if (request === null) return null
      return send(access, request, { ms: testMs }, ({ body }, host) => {
        const found = modelsIn(body)
        if (found === null) throw unreadable(host)
        return found
      })
    },
  }
}
