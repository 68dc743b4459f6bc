import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Principal } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import { onFirstCall } from '../core/load/first-call.ts'
import type { Prepared } from '../prisma/client.ts'
import { keyOfToken } from '../resolvers/keys/bearer.sql.ts'
import { idHashOf } from './adapter.ts'
import { clientMetadata, isWithin, limitRegistrations, mostClients } from './clients.ts'
import type { AskedConsent } from './consent.ts'
import type { ProviderParts } from './provider.ts'
import {
  audienceOf,
  challengeOf,
  connectionScopes,
  metadataPaths,
  resourceMetadata,
  stepUpOf,
} from './resources.ts'

export interface OAuthParts extends ProviderParts {
  /** Reads access tokens. */
  readonly reads: Pick<Prepared, '$queryRawUnsafe'>
  /** Reads a body of JSON. @throws {Fault} */
  readonly readBody: (
    request: IncomingMessage,
    maxBytes: number,
  ) => Promise<Record<string, unknown>>
  /** @returns the seconds to wait, when the address sent too many requests */
  readonly count: (request: IncomingMessage) => Promise<string | undefined>
}

/** What of a request says whether it has a token. */
interface TokenState {
  readonly authorization: string | undefined
  keyHash?: string | Fault
}

export interface OAuth {
  /**
   * Serves the metadata and the endpoints of the authorization server, at the paths of `isOAuth`.
   */
  serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** Puts the key of an access token into the state of a request. Another bearer stays unread. */
  readToken(state: TokenState): Promise<void>
  /**
   * The refusal of a call that needs a further right, by which a client asks its person. Undefined for a bearer that is no
   * access token, and for a right that no connection has.
   */
  stepUp(state: TokenState, principal: Principal, grant: string): Fault | undefined
  /** The same refusal with the address where a client gets a token. */
  challenged(error: unknown, state: TokenState): unknown
  showConsent(request: IncomingMessage, principal: Principal): Promise<AskedConsent>
  decideConsent(
    request: IncomingMessage,
    principal: Principal,
    body: unknown,
  ): Promise<{ readonly to: string }>
}

const registerPath = '/oauth/register'
const discoveryPaths = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
]

const mostBodyBytes = 16 * 1024

/** A token of ours: 43 characters of base64url. */
const tokenShape = /^Bearer +([\w-]{43}) *$/i

/** Whether a path is one of the authorization server, or of the metadata that leads to it. */
export const isOAuth = (path: string): boolean =>
  path.startsWith('/oauth/') || discoveryPaths.includes(path) || metadataPaths.includes(path)

/** Whether a path is of a request to connect that is under way. */
export const isConnect = (path: string): boolean => /^\/connect\/[\w-]+$/.test(path)

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': status === 200 ? 'public, max-age=300' : 'no-store',
      'Access-Control-Allow-Origin': '*',
    })
    .end(JSON.stringify(body))
}

/** The request with another body. */
function withBody(request: IncomingMessage, body: object): IncomingMessage {
  const bytes = Buffer.from(JSON.stringify(body))
  const { method, url, socket, httpVersion, rawHeaders } = request
  const headers = { ...request.headers, 'content-length': String(bytes.length) }
  delete headers['transfer-encoding']
  const copy = { method, url, socket, httpVersion, rawHeaders, headers }
  return Object.assign(Readable.from([bytes], { objectMode: false }), copy) as IncomingMessage
}

/** OAuth for AI clients. The library is loaded with the first request for it. */
export function openOAuth(parts: OAuthParts): OAuth {
  const { baseUrl, db, reads, readBody, count, clientOf } = parts
  const audience = audienceOf(baseUrl)
  const { host, protocol } = new URL(baseUrl)
  const registrations = limitRegistrations()
  const opened = onFirstCall(async () => {
    const [{ openProvider }, consent] = await Promise.all([
      import('./provider.ts'),
      import('./consent.ts'),
    ])
    const provider = openProvider(parts)
    const callback = provider.callback()
    return () => ({ provider, callback, consent })
  })

  /** @returns the request with what counts of its body; undefined where the refusal is sent */
  async function registration(request: IncomingMessage, response: ServerResponse) {
    const refuse = (status: number, error: string, description: string) =>
      sendJson(response, status, { error, error_description: description })
    let body: Record<string, unknown>
    try {
      body = await readBody(request, mostBodyBytes)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      refuse(400, 'invalid_client_metadata', error.message)
      return undefined
    }
    const isFull = (await db.oAuthClient.count()) >= mostClients
    if (isFull || !(await isWithin(registrations, clientOf(request)))) {
      refuse(429, 'too_many_requests', 'Too many clients were registered. Try again in an hour.')
      return undefined
    }
    return withBody(request, clientMetadata(body))
  }

  async function answer(request: IncomingMessage, response: ServerResponse, path: string) {
    const seconds = await count(request)
    if (seconds) {
      response.setHeader('Retry-After', seconds)
      return sendJson(response, 429, { error: 'too_many_requests' })
    }
    if (metadataPaths.includes(path)) return sendJson(response, 200, resourceMetadata(baseUrl))
    const isRegistration = path === registerPath && request.method === 'POST'
    const asked = isRegistration ? await registration(request, response) : request
    if (asked === undefined) return
    // The addresses that the library makes are those of `PUBLIC_URL`, whatever way the request came.
    asked.headers.host = host
    asked.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    delete asked.headers['x-forwarded-host']
    const { callback } = await opened()
    await callback(asked, response)
  }

  return {
    serve: answer,
    async readToken(state) {
      const { authorization = '' } = state
      const token = tokenShape.exec(authorization)?.[1]
      if (token === undefined) return
      const [found] = await reads.$queryRawUnsafe<{ hash: string }[]>(
        keyOfToken,
        idHashOf(token),
        audience,
      )
      state.keyHash =
        found?.hash ??
        new Fault('unauthorized', 'The access token is unknown, revoked or expired.', {
          extras: { howToFix: 'Refresh the token, or connect again.' },
        })
    },
    stepUp({ authorization = '' }, { scopes, capabilities }, grant) {
      if (!tokenShape.test(authorization)) return undefined
      if (!connectionScopes.some((scope) => scope === grant)) return undefined
      const all = [...new Set([...scopes, ...capabilities, grant])]
      return new Fault('missing_scope', `The connection lacks the right \`${grant}\`.`, {
        extras: { howToFix: 'Connect again, and let the person tick the right.' },
        headers: { 'WWW-Authenticate': stepUpOf(baseUrl, all) },
      })
    },
    challenged(error, { authorization }) {
      if (!(error instanceof Fault) || error.code !== 'unauthorized') return error
      const { message, extras } = error
      const headers = { 'WWW-Authenticate': challengeOf(baseUrl, authorization !== undefined) }
      return new Fault('unauthorized', message, { extras, headers })
    },
    async showConsent(request, principal) {
      const { provider, consent } = await opened()
      return consent.showConsent(provider, request, principal)
    },
    async decideConsent(request, principal, body) {
      const { provider, consent } = await opened()
      return consent.decideConsent(provider, db, { request, principal, body })
    },
  }
}
