import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { basicAuthorization } from '../http.ts'

/** Whether a request carries the one user, `default`, and the password. */
export type Authorizer = (request: IncomingMessage, url: URLSearchParams) => boolean

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Compares in constant time, by hashes of one length. */
export function createAuthorizer(password: string): Authorizer {
  const expected = sha256(`default\0${password}`)
  const usual = sha256(basicAuthorization('default', password))
  return (request, url) => {
    const { authorization } = request.headers
    if (authorization !== undefined && timingSafeEqual(sha256(authorization), usual)) return true
    const { user, key } = credentials(request, url)
    return timingSafeEqual(sha256(`${user}\0${key}`), expected)
  }
}

/** What a client may send instead: a header of another form, headers of ClickHouse, or parameters of the URL. */
function credentials({ headers }: IncomingMessage, url: URLSearchParams) {
  const basic = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const pair = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString()
  const colon = pair?.indexOf(':') ?? -1
  const header = (name: string) => headers[name]?.toString()
  return {
    user: pair?.slice(0, colon) ?? header('x-clickhouse-user') ?? url.get('user') ?? 'default',
    key: pair?.slice(colon + 1) ?? header('x-clickhouse-key') ?? url.get('password') ?? '',
  }
}
