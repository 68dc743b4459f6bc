import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { hashApiKey, isApiKey, type Principal } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import type { Catalog } from '../prisma/client.ts'
import { takeRequest } from './rate-limit.ts'
import type { Visit } from './request-state.ts'

export interface AuthParts {
  readonly db: Catalog
  readonly limiter: RateLimiterAbstract
}

function unauthorized(message: string): Fault {
  return new Fault('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

const bearer = /^Bearer +(\S+) *$/i

async function principalOf(db: Catalog, authorization: string | undefined): Promise<Principal> {
  if (authorization === undefined) throw unauthorized('The `Authorization` header is missing.')
  const key = bearer.exec(authorization)?.[1]
  if (!key) throw unauthorized('The `Authorization` header must be `Bearer` and an API key.')
  if (!key.startsWith('sgl_')) throw unauthorized('The API key must start with `sgl_`.')
  if (!isApiKey(key)) throw unauthorized('The API key is mistyped: its checksum does not match.')
  const row = await db.apiKey.findUnique({ where: { hash: hashApiKey(key) } })
  const alive = row && !row.revokedAt && (!row.expiresAt || row.expiresAt > new Date())
  if (!alive) throw unauthorized('The API key is unknown, revoked or expired.')
  const { id, userId, workspaceId, projectId, scopes, capabilities } = row
  return { keyId: id, userId, workspaceId, projectId, scopes, capabilities }
}

/**
 * Key, then rate; counted once a request. The rate headers are set whatever the outcome: by key, or by
 * address for a request without a valid one.
 * @throws {Fault} `unauthorized`, `rate_limited`
 */
export function authenticate(parts: AuthParts, visit: Visit): Promise<Principal> {
  visit.admission ??= admission(parts, visit)
  return visit.admission
}

async function admission({ db, limiter }: AuthParts, visit: Visit): Promise<Principal> {
  let principal: Principal
  try {
    principal = await principalOf(db, visit.authorization)
  } catch (error) {
    if (error instanceof Fault)
      await takeRequest(limiter, `address:${visit.address}`, visit.headers)
    throw error
  }
  const refused = await takeRequest(limiter, `key:${principal.keyId}`, visit.headers)
  if (refused) throw refused
  return principal
}
