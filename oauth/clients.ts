import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { PrivateHost } from '../core/sites/private-hosts.ts'
import { isLoopback } from '../core/tool-sign-in.ts'
import { createGuard } from '../site/guard/guard.ts'
import { textOf } from '../site/net/body.ts'
import { limits } from '../site/net/limits.ts'
import { connectionScopes } from './resources.ts'

/** Registrations of an address in an hour, and of all. Nobody signs in for them. */
const registrationsPerHour = 20
export const mostClients = 10_000

/** Documents of clients that an address may have fetched in a minute. */
const fetchesPerMinute = 30

const documentBytes = 16 * 1024
const documentMs = 5000

export const limitRegistrations = () =>
  new RateLimiterMemory({ points: registrationsPerHour, duration: 60 * 60 })

export const limitFetches = () => new RateLimiterMemory({ points: fetchesPerMinute, duration: 60 })

/** Whether the limiter has something left for an address. */
export async function isWithin(limiter: RateLimiterMemory, address: string): Promise<boolean> {
  return limiter.consume(address).then(
    () => true,
    () => false,
  )
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const only = (value: unknown, known: readonly string[]) => {
  const given = texts(value).filter((each) => known.includes(each))
  return given.length > 0 ? given : undefined
}

/** A redirect to the machine of the person, or to an app on it. */
function isNative(uri: string): boolean {
  const url = URL.parse(uri)
  if (!url || url.protocol === 'https:') return false
  return url.protocol !== 'http:' || isLoopback(url.hostname)
}

const longestName = 100

/**
 * What counts of the metadata of a client. The rest is dropped, as a server may: no address in it is ever fetched or shown as
 * a picture. Each client may ask for each right, since a person decides.
 * @see RFC 7591, section 2
 */
export function clientMetadata(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { client_id, client_name: name, client_uri, token_endpoint_auth_method: method } = given
  const redirects = texts(given.redirect_uris)
  const known = {
    client_id,
    client_name: typeof name === 'string' ? name.slice(0, longestName) : undefined,
    client_uri,
    redirect_uris: given.redirect_uris,
    grant_types: only(given.grant_types, ['authorization_code', 'refresh_token']),
    response_types: only(given.response_types, ['code']),
    token_endpoint_auth_method: method,
    application_type: redirects.some(isNative) ? 'native' : 'web',
    scope: [...connectionScopes, 'offline_access'].join(' '),
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

/**
 * Fetches the document in which a client describes itself, by the guard that keeps the reading of sites out of private
 * networks: https at its usual port, no redirect, 5 s, 16 kB.
 * @see draft-ietf-oauth-client-id-metadata-document
 */
export function documentFetch(privateHosts: readonly PrivateHost[]) {
  const guard = createGuard(privateHosts)
  const ms = { headersMs: documentMs, silenceMs: documentMs, totalMs: documentMs }
  return async (given: string | URL | Request): Promise<Response> => {
    const address = new URL(given instanceof Request ? given.url : given)
    if (address.protocol !== 'https:' || address.port !== '') {
      throw new Error(`${address.origin} is not https at its usual port`)
    }
    // Few clients have a document, and an idle API needs no client of HTTP.
    const { openChain } = await import('../site/net/chain.ts')
    const chain = openChain(guard, { ...limits, ...ms })
    try {
      const sent = { accept: 'application/json', 'accept-encoding': 'gzip, br' }
      const answer = await chain.request(address, 'GET', sent)
      const { text, isTooLong } = await textOf(answer, documentBytes)
      answer.close()
      if (isTooLong) throw new Error(`${address.href} is larger than ${documentBytes} bytes`)
      const headers: Record<string, string> = {}
      for (const name of ['cache-control', 'expires']) {
        const [line] = answer.header(name)
        if (line !== undefined) headers[name] = line
      }
      const { status } = answer
      if (status !== 200) return new Response(null, { status: status < 200 ? 502 : status })
      const body = JSON.parse(text)
      // What the document must say of the way that it authenticates is the library's to check.
      const kept = { ...clientMetadata(body), ...secretsOf(body) }
      return new Response(JSON.stringify(kept), { headers })
    } finally {
      await chain.close()
    }
  }
}

/** A document must have no secret: everybody can read it. */
const secretsOf = ({ client_secret, client_secret_expires_at }: Record<string, unknown>) =>
  JSON.parse(JSON.stringify({ client_secret, client_secret_expires_at }))
