import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import { escaped } from '../core/escaped.ts'
import { redirectToOwn } from './redirect.ts'

export interface GoogleReturnParts {
  readonly baseUrl: string
  /** Who is signed in, by the session of the browser; undefined for nobody. */
  visitor(request: IncomingMessage): Promise<Principal | undefined>
  /**
   * @returns the page to open, as a path of this service
   * @throws {Fault} `not_found` for a sign-in that is over, others for one that was refused
   */
  finish(principal: Principal, returned: URL, state: string): Promise<string>
  /** @returns the seconds to wait, when the address sent too many requests */
  count(request: IncomingMessage): Promise<string | undefined>
  /** Called with an error of this service. */
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
  ':root { color-scheme: light dark } body { font: 16px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; overflow-wrap: anywhere }'

function sendPage(response: ServerResponse, status: number, title: string, said: string): void {
  const body = `<h1>${escaped(title)}</h1><p>${escaped(said)}</p><p><a href="/">Open Sightline</a></p>`
  response
    .writeHead(status, { ...headers, 'Content-Type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>Sightline: ${escaped(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`,
    )
}

const over = 'Begin again under Settings, Connections.'

/**
 * Ends a sign-in with Google, which the dashboard began. Only the browser of the person who began it may: its session
 * comes along when Google leads back, and the `state` works once.
 */
export function googleReturnHandler(parts: GoogleReturnParts) {
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const seconds = await parts.count(request)
    if (seconds) {
      response.setHeader('Retry-After', seconds)
      return sendPage(response, 429, 'Too many requests', 'Try again in a minute.')
    }
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET')
      return sendPage(response, 405, 'Not allowed', over)
    }
    const principal = await parts.visitor(request)
    if (!principal) return sendPage(response, 401, 'Sign in to Sightline first', over)
    const returned = new URL(request.url ?? '/', parts.baseUrl)
    const state = returned.searchParams.get('state') ?? ''
    redirectToOwn(response, await parts.finish(principal, returned, state), {
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
  }

  return async (request: IncomingMessage, response: ServerResponse) => {
    await answer(request, response).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.status >= 500) {
        parts.onError(error)
        return sendPage(response, 503, 'Try again later', 'The service cannot answer now.')
      }
      if (error.code === 'not_found') return sendPage(response, 400, 'The sign-in is over', over)
      return sendPage(response, 403, 'Google is not connected', error.message)
    })
  }
}
