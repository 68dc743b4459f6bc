import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

/** Cookies of a service with https carry a prefix: a browser takes them from this host alone. */
export interface Cookies {
  read(request: IncomingMessage, name: CookieName): string | undefined
  /** The header that sets a cookie; an empty value removes it. */
  set(name: CookieName, value: string, seconds: number): string
}

/** `session` is the key of a sign-in; `attempt` is a sign-in under way; `signed-in` says to pages that there is a session. */
export type CookieName = 'session' | 'attempt' | 'signed-in'

export function cookiesOf(baseUrl: string): Cookies {
  const secure = baseUrl.startsWith('https:')
  const full = (name: CookieName) =>
    name === 'signed-in' ? `sightline-${name}` : `${secure ? '__Host-' : ''}sightline-${name}`
  return {
    read: ({ headers }, name) => parseCookie(headers.cookie ?? '')[full(name)],
    set: (name, value, seconds) =>
      stringifySetCookie({
        name: full(name),
        value,
        path: '/',
        maxAge: value === '' ? 0 : seconds,
        secure,
        sameSite: 'lax' as const,
        httpOnly: name !== 'signed-in',
      }),
  }
}

/**
 * Whether a page of this service sent the request. A page of another site cannot make a browser say so.
 * @see https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function isSameOrigin({ headers }: IncomingMessage, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  // Browsers leave the header out where neither https nor loopback protects the service.
  return site === undefined ? headers.origin === new URL(baseUrl).origin : site === 'same-origin'
}

/** The `Authorization` of a request: its own, or that of the session of the page that sent the request. */
export function authorizationOf(request: IncomingMessage, baseUrl: string, cookies: Cookies) {
  const { authorization } = request.headers
  if (authorization !== undefined || request.headers.cookie === undefined) return authorization
  const key = isSameOrigin(request, baseUrl) ? cookies.read(request, 'session') : undefined
  return key && `Bearer ${key}`
}
