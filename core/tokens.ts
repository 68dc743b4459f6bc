import { createHmac, timingSafeEqual } from 'node:crypto'

function sign(secret: string, purpose: string, body: string): Buffer {
  return createHmac('sha256', secret).update(purpose).update('\0').update(body).digest()
}

/**
 * A signed token of two base64url segments, payload and HMAC-SHA-256. `purpose` keeps a token of one
 * kind from passing as another.
 */
export function signToken(secret: string, purpose: string, payload: unknown): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${sign(secret, purpose, body).toString('base64url')}`
}

/** The payload of a valid token, undefined for any other. Only the canonical spelling is valid. */
export function openToken(secret: string, purpose: string, token: string): unknown {
  const [body, signature, ...rest] = token.split('.')
  if (!body || !signature || rest.length > 0) return undefined
  const given = Buffer.from(signature, 'base64url')
  // Node decodes several spellings of one signature: only the one that re-encodes to itself counts.
  if (given.toString('base64url') !== signature) return undefined
  const expected = sign(secret, purpose, body)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
}

/** The payload of a token that one of the secrets signed, undefined for any other. */
export function openTokenOf(secrets: readonly string[], purpose: string, token: string): unknown {
  for (const secret of secrets) {
    const payload = openToken(secret, purpose, token)
    if (payload !== undefined) return payload
  }
  return undefined
}

/** The token that a site's server sends with its events. It carries the ids of the project and the workspace. */
export function makeSiteToken(
  secret: string,
  site: { projectId: string; workspaceId: string },
): string {
  return `st_${signToken(secret, 'site', { p: site.projectId, w: site.workspaceId })}`
}

/** The permission of an ingest key: "Log Events". */
export const logEvents = 'events:write'

/** The key that a workspace's servers send events with. The tracker checks its signature without a database. */
export function makeIngestKey(
  secret: string,
  key: { id: string; workspaceId: string },
  permissions: readonly string[] = [logEvents],
): string {
  return `sk_live_${signToken(secret, 'ingest', { i: key.id, w: key.workspaceId, p: permissions })}`
}
