import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'

/** Cookies of a service with https carry a prefix: a browser takes them from this host alone. */
export interface Cookies {
  read(request: IncomingMessage, name: CookieName): string | undefined
  /** The header that sets a cookie; an empty value removes it. */
  set(name: CookieName, value: string, seconds: number): string
}

/** `session` is the token of a session; `attempt` is a sign-in under way. */
export type CookieName = 'session' | 'attempt'

export function cookiesOf(baseUrl: string): Cookies {
  const { protocol, port } = new URL(baseUrl)
  const secure = protocol === 'https:'
  // Services on other ports of a machine share its cookies.
  const full = (name: CookieName) =>
    secure ? `__Host-sightline-${name}` : `sightline-${name}${port && `-${port}`}`
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
        httpOnly: true,
      }),
  }
}

/**
 * Whether a page of this service sent the request. A page of another site cannot make a browser say so.
 * @see https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function isSameOrigin({ headers }: IncomingMessage, baseUrl: string): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  // Browsers leave one out: `Origin` where a page reads, the other where neither https nor loopback protects the service.
  if (origin === undefined) return site === 'same-origin'
  // A laptop has more than one name, and a proxy may change that of the host.
  const isOwn = origin === new URL(baseUrl).origin || URL.parse(origin)?.host === host
  return isOwn && (site === undefined || site === 'same-origin')
}
