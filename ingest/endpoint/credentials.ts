import type { IncomingMessage } from 'node:http'
import { hasTwoKeys } from '../../core/access.ts'
import type { IngestKey, KeyFault, Site, Verifier } from './key.ts'
import { type Reply, refuse } from './replies.ts'

const missingAuthorization = refuse('missing_authorization')
const missingSite = refuse('missing_site_token', {
  message: 'Add the site token to the address: `?site=st_…`.',
})
const invalidSite = refuse('invalid_site_token', {
  message: '`site` must be the site token of a project in the workspace of the ingest key.',
})
const twoKeys = refuse('invalid_request', {
  message: 'The header `Authorization` must be given once.',
})
const keyFaults: Record<KeyFault, Reply> = {
  invalid_signature: refuse('invalid_signature'),
  missing_permission: refuse('missing_permission'),
  revoked: refuse('invalid_signature', { message: 'The ingest key was revoked.' }),
}

/** The ingest key of the header `Authorization`. */
export function keyOf(request: IncomingMessage, verifier: Verifier): IngestKey | Reply {
  const { authorization = '' } = request.headers
  if (authorization === '') return missingAuthorization
  if (hasTwoKeys(request.rawHeaders, authorization)) return twoKeys
  return checked(bearer(authorization), verifier)
}

function checked(token: string, verifier: Verifier): IngestKey | Reply {
  const key = verifier.key(token)
  return typeof key === 'string' ? keyFaults[key] : key
}

const bearer = (authorization: string) =>
  /^Bearer +/i.test(authorization) ? authorization.slice(7).trimStart() : ''

/** User or password, whichever is the key: hosts that take an address alone send what stands in it. */
function basic(authorization: string): string | undefined {
  if (!/^Basic +/i.test(authorization)) return undefined
  const [user = '', ...rest] = Buffer.from(authorization.slice(6), 'base64').toString().split(':')
  const password = rest.join(':')
  return password.startsWith('sk_live_') ? password : user
}

export interface Pusher {
  readonly key: IngestKey
  readonly site: Site
  /** The ingest key as it came. */
  readonly token: string
}

/**
 * Who pushes a log, and of which site. The key comes as hosts can send it: as a bearer token, by Firehose's own header,
 * or in the address, as `key` or before the `@`. The site token is `site` in the address.
 */
export function pusherOf(
  request: IncomingMessage,
  parameters: URLSearchParams,
  verifier: Verifier,
): Pusher | Reply {
  const { authorization = '' } = request.headers
  if (hasTwoKeys(request.rawHeaders, authorization)) return twoKeys
  const firehose = request.headers['x-amz-firehose-access-key']
  const token =
    authorization === ''
      ? (firehose?.toString() ?? parameters.get('key') ?? '')
      : (basic(authorization) ?? bearer(authorization))
  if (token === '' && authorization === '') return missingAuthorization
  const key = checked(token.trim(), verifier)
  if ('status' in key) return key
  const given = parameters.get('site') ?? ''
  if (given === '') return missingSite
  const site = verifier.site(given)
  return site?.workspaceId === key.workspaceId ? { key, site, token: token.trim() } : invalidSite
}
