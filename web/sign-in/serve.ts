import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Begun, SignedIn } from '../../core/access.ts'
import { escaped } from '../../core/escaped.ts'
import { ownPath, redirectToOwn } from '../redirect.ts'
import type { Cookies } from './cookies.ts'
import type { Provider } from './provider.ts'

const signInPath = '/sign-in'
/** Where the provider sends the browser back to. */
export const callbackPath = '/sign-in/callback'

const attemptSeconds = 600

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  invitation: z.string(),
})

export interface SignInParts {
  readonly baseUrl: string
  readonly cookies: Cookies
  readonly provider: Provider
  /** Whether a page of this service sent the request. */
  isOwnPage(request: IncomingMessage): boolean
  cookieOf(begun: Begun): string
  signIn(email: string, invitation: string, request: IncomingMessage): Promise<SignedIn>
  /** @returns the seconds to wait, when the address sent too many requests */
  count(request: IncomingMessage): Promise<string | undefined>
  /** Called with an error of the provider or of this service. */
  onError(error: unknown): void
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

const style =
  'body { font: 16px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem } :root { color-scheme: light dark }'

function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, { ...headers, 'Content-Type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>Sightline: ${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
    )
}

const again = `<p><a href="${signInPath}">Sign in again</a></p>`

/**
 * Serves the sign-in by OpenID Connect: `/sign-in` leads to the provider, and `/sign-in/callback` sets the cookie of the
 * session.
 * @returns false for another path
 */
export function signInHandler(parts: SignInParts) {
  const { baseUrl, cookies, provider } = parts

  async function begin(request: IncomingMessage, response: ServerResponse, asked: URL) {
    const to = ownPath(asked.searchParams.get('to') ?? '/', baseUrl)
    // Another site may lead a person here, and must not accept an invitation for the person.
    const invitation = parts.isOwnPage(request) ? asked.searchParams.get('invitation') : null
    const { url, attempt } = await provider.begin(to, invitation ?? '')
    const kept = Buffer.from(JSON.stringify(attempt)).toString('base64url')
    const cookie = cookies.set('attempt', kept, attemptSeconds)
    response.writeHead(302, { ...headers, Location: url.href, 'Set-Cookie': cookie }).end()
  }

  function attemptOf(request: IncomingMessage) {
    try {
      const kept = Buffer.from(cookies.read(request, 'attempt') ?? '', 'base64url')
      return attemptSchema.safeParse(JSON.parse(kept.toString())).data
    } catch {
      return undefined
    }
  }

  function sendStranger(response: ServerResponse, email: string, found: SignedIn): void {
    const invitations = 'invitations' in found ? found.invitations : []
    const joins = invitations.map(
      ({ id, workspace, role }) =>
        `<li><a href="${signInPath}?invitation=${id}">Join ${escaped(workspace)} as ${role}</a></li>`,
    )
    const said =
      joins.length > 0
        ? `<p>${escaped(email)} is invited:</p><ul>${joins.join('')}</ul>`
        : `<p>No workspace has ${escaped(email)} as a member. Ask an owner for an invitation.</p>`
    sendPage(response, 403, 'No workspace yet', said)
  }

  async function finish(request: IncomingMessage, response: ServerResponse, asked: URL) {
    const attempt = attemptOf(request)
    response.setHeader('Set-Cookie', cookies.set('attempt', '', 0))
    if (!attempt) {
      const said = '<p>The sign-in took longer than ten minutes, or began in another browser.</p>'
      return sendPage(response, 400, 'The sign-in ended', said + again)
    }
    const returned = new URL(callbackPath + asked.search, baseUrl)
    const email = await provider.finish(returned, attempt)
    if (email === undefined) {
      const said = '<p>Your organisation gave no verified e-mail address.</p>'
      return sendPage(response, 403, 'The address is not verified', said + again)
    }
    const found = await parts.signIn(email, attempt.invitation, request)
    if (!('token' in found)) return sendStranger(response, email, found)
    response.setHeader('Set-Cookie', [cookies.set('attempt', '', 0), parts.cookieOf(found)])
    // The browser had the attempt meanwhile.
    redirectToOwn(response, attempt.to, headers)
  }

  async function answer(request: IncomingMessage, response: ServerResponse, asked: URL) {
    const seconds = await parts.count(request)
    if (seconds) {
      response.setHeader('Retry-After', seconds)
      return sendPage(response, 429, 'Too many requests', '<p>Try again in a minute.</p>')
    }
    const { pathname } = asked
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET')
      return sendPage(response, 405, 'Not allowed', '')
    }
    if (pathname === signInPath) return begin(request, response, asked)
    return finish(request, response, asked)
  }

  return async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (path !== signInPath && path !== callbackPath) return false
    const asked = new URL(request.url ?? '/', baseUrl)
    await answer(request, response, asked).catch((error: unknown) => {
      parts.onError(error)
      const said = '<p>Your organisation refused the sign-in, or did not answer.</p>'
      sendPage(response, 502, 'The sign-in failed', said + again)
    })
    return true
  }
}
