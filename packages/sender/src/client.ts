import type { Signature } from './event.ts'

/** The first value of a header, which may be a list, or undefined. */
export type ReadHeader = (name: string) => string | undefined

/** Headers of a web request. */
export const readerOf =
  (headers: Headers): ReadHeader =>
  (name) =>
    headers.get(name) ?? undefined

const firstOf = (list: string | undefined) => list?.split(',')[0]?.trim() || undefined

/**
 * The URL that the client asked for: behind a proxy, the host and protocol that the proxy was asked for.
 * @param url path or absolute URL as the server sees it
 * @param protocol of the connection to this server, `http` or `https`
 */
export function urlOfClient(read: ReadHeader, url: string, protocol?: string): string {
  const seen = new URL(url, 'http://localhost')
  const host = firstOf(read('x-forwarded-host')) ?? firstOf(read('host')) ?? seen.host
  const asked = firstOf(read('x-forwarded-proto')) ?? protocol ?? seen.protocol
  return `${asked.startsWith('https') ? 'https' : 'http'}://${host}${seen.pathname}`
}

/** The address that the first proxy saw. */
export const addressOfClient = (read: ReadHeader): string | undefined =>
  read('cf-connecting-ip') ?? firstOf(read('x-forwarded-for'))

/** The country that a network in front of the site found. */
export const countryOfClient = (read: ReadHeader): string | undefined =>
  read('cf-ipcountry') ?? read('x-vercel-ip-country')

/** The headers of a signed request; undefined for any other. */
export function signatureOfClient(read: ReadHeader): Signature | undefined {
  const [agent, input, signature] = ['signature-agent', 'signature-input', 'signature'].map(read)
  if (!agent || !input || !signature) return undefined
  return { signature, 'signature-input': input, 'signature-agent': agent }
}
