import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Fault } from '../core/errors.ts'
import { TurnLate, Turns } from '../core/turns.ts'
import type { RequestState } from '../plugins/request-state.ts'
import type { Caller } from './run.ts'

/** A call with its arguments takes a few kilobytes. */
const mostBodyBytes = 256 * 1024

/** Calls of one key that wait for its others, and how long. */
const mostWaiting = 8
const waitMs = 20_000

export interface ToolDoorParts {
  readonly baseUrl: string
  /** Origins of pages that may call, as in `CORS_ORIGINS`. */
  readonly origins: readonly string[]
  /** Calls that one key may have under way. */
  readonly callsPerKey: number
  /** Checks the key and counts the request, by a budget of the tool server's own. */
  readonly admit: (state: RequestState) => Promise<void>
  readonly readBody: (
    request: IncomingMessage,
    maxBytes: number,
  ) => Promise<Record<string, unknown>>
  readonly serve: (request: Request, body: unknown, caller: Caller) => Promise<Response>
  /** The refusal that lets a client ask its person for a further right; undefined for a caller who cannot get one that way. */
  readonly stepUp?: (state: RequestState, grant: string) => Promise<Fault | undefined>
}

interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Record<string, string>
}

const hostOf = (text: string) => URL.parse(`http://${text}`)?.hostname.replace(/^\[|\]$/g, '')

/**
 * A page of a foreign site can make a browser send a request here under a name of its own. So the host must be one of ours:
 * an address, `localhost`, or the host of `PUBLIC_URL`. A page must be of an origin that may read answers.
 */
function refuseForeign({ headers }: IncomingMessage, { baseUrl, origins }: ToolDoorParts): void {
  const { host = '', origin } = headers
  const name = hostOf(host) ?? ''
  if (isIP(name) === 0 && name !== 'localhost' && name !== new URL(baseUrl).hostname) {
    throw new Fault('forbidden', `\`${host}\` is not a host of this service.`, {
      extras: { howToFix: 'Call the address in `PUBLIC_URL`, or set it.' },
    })
  }
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return
  const { host: from } = URL.parse(origin) ?? {}
  if (from === host || origin === new URL(baseUrl).origin) return
  throw new Fault('forbidden', `Pages of ${origin} may not call the tools.`, {
    extras: { howToFix: 'Add the origin to `CORS_ORIGINS`.' },
  })
}

/** The refusal of a call beyond those that a key may have waiting, as JSON-RPC. */
function tooMany({ id = null }: Record<string, unknown>, callsPerKey: number): Reply {
  const message = `The key has ${callsPerKey} calls under way, and others wait. Call again in 2 seconds.`
  const error = { code: -32_000, message, data: { code: 'too_many_calls', retryable: true } }
  return {
    status: 429,
    contentType: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
    headers: { 'Retry-After': '2' },
  }
}

/** The headers of the protocol, and no other one. */
function protocolHeaders({ headers }: IncomingMessage): Headers {
  const kept = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(headers)) {
    const isKnown = name === 'accept' || name.startsWith('mcp-')
    if (isKnown && typeof value === 'string') kept.set(name, value)
  }
  return kept
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response
  const contentType = headers.get('content-type') ?? 'application/json'
  return { status, contentType, body: await response.text() }
}

/** `POST /mcp`: who calls is checked before what is called. Calls of one key take turns. */
export function toolDoor(parts: ToolDoorParts) {
  const { admit, readBody, serve, callsPerKey, baseUrl } = parts
  const turns = new Turns({ total: Number.POSITIVE_INFINITY, perName: callsPerKey })
  /** Calls of a key that run or wait. */
  const calls = new Map<string, number>()

  async function inTurn(bucket: string, work: () => Promise<Reply>): Promise<Reply | undefined> {
    const before = calls.get(bucket) ?? 0
    if (before >= callsPerKey + mostWaiting) return undefined
    calls.set(bucket, before + 1)
    try {
      const giveBack = await turns.take(bucket, waitMs)
      try {
        return await work()
      } finally {
        giveBack()
      }
    } catch (error) {
      if (error instanceof TurnLate) return undefined
      throw error
    } finally {
      const left = (calls.get(bucket) ?? 1) - 1
      if (left === 0) calls.delete(bucket)
      else calls.set(bucket, left)
    }
  }

  return async (request: IncomingMessage, state: RequestState): Promise<Reply> => {
    refuseForeign(request, parts)
    if (request.method !== 'POST') {
      throw new Fault('method_not_allowed', `${request.method} is not allowed here.`, {
        headers: { Allow: 'POST' },
      })
    }
    state.operation = 'mcp'
    await admit(state)
    const body = await readBody(request, mostBodyBytes)
    const { requestId, address, authentication, keyHash, rateBucket = '' } = state
    const gone = new AbortController()
    const { socket } = request
    const { signal } = gone
    const end = () => gone.abort()
    const work = async () => {
      // Its client has gone while it waited: nobody reads an answer.
      if (signal.aborted) return { status: 499, contentType: 'application/json', body: '' }
      const headers = protocolHeaders(request)
      const asked = new Request(`${baseUrl}/mcp`, { method: 'POST', headers, signal })
      const caller = { requestId, address, authentication, keyHash, rateBucket, signal } as Caller
      // Read whole: the tool may still work when its answer begins.
      const reply = await replyOf(await serve(asked, body, caller))
      const { missingGrant } = caller
      const refusal = missingGrant && (await parts.stepUp?.(state, missingGrant))
      if (refusal) throw refusal
      return reply
    }
    socket.once('close', end)
    try {
      if (body.method !== 'tools/call') return await work()
      return (await inTurn(rateBucket, work)) ?? tooMany(body, callsPerKey)
    } finally {
      socket.off('close', end)
    }
  }
}
