import type { Plugin } from '@envelop/core'
import { hashApiKey, isApiKey, type Principal } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import type { Catalog } from '../prisma/client.ts'
import type { RequestState, WithRequestState } from './request-state.ts'

function unauthorized(message: string): Fault {
  return new Fault('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

const bearer = /^Bearer +(\S+) *$/i

/** How exact `lastUsedAt` is: a busy key costs one write a minute. */
const useNotedEveryMs = 60_000
const beingNoted = new Set<string>()

/** Notes beside the request that the key was used. A failure is left to the next use. */
function noteUse(db: Catalog, { id, lastUsedAt }: { id: string; lastUsedAt: Date | null }): void {
  const now = new Date()
  const stale = new Date(now.getTime() - useNotedEveryMs)
  if ((lastUsedAt && lastUsedAt > stale) || beingNoted.has(id)) return
  beingNoted.add(id)
  const notedLately = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: stale } }] }
  db.apiKey
    .updateMany({ where: { id, ...notedLately }, data: { lastUsedAt: now } })
    .catch(() => undefined)
    .finally(() => beingNoted.delete(id))
}

async function principalOf(db: Catalog, state: RequestState): Promise<Principal> {
  const { authorization } = state
  if (authorization === undefined) throw unauthorized('The `Authorization` header is missing.')
  const key = bearer.exec(authorization)?.[1]
  if (!key) throw unauthorized('The `Authorization` header must be `Bearer` and an API key.')
  if (!key.startsWith('sgl_')) throw unauthorized('The API key must start with `sgl_`.')
  if (!isApiKey(key)) throw unauthorized('The API key is mistyped: its checksum does not match.')
  const row = await db.apiKey.findUnique({ where: { hash: hashApiKey(key) } })
  const alive = row && !row.revokedAt && (!row.expiresAt || row.expiresAt > new Date())
  if (!alive) throw unauthorized('The API key is unknown, revoked or expired.')
  state.expiresAt = row.expiresAt
  state.rateBucket = `key:${row.firstKeyId ?? row.id}`
  noteUse(db, row)
  const { id, userId, workspaceId, projectId, scopes, capabilities } = row
  return { keyId: id, userId, workspaceId, projectId, scopes, capabilities }
}

/**
 * The key of a request, looked up once.
 * @throws {Fault} `unauthorized`
 */
export function authenticate(db: Catalog, state: RequestState): Promise<Principal> {
  state.authentication ??= principalOf(db, state)
  return state.authentication
}

/** Puts the key's principal, the request id and `If-Match` into the context, or refuses the request. */
export function useAuthentication(db: Catalog): Plugin<WithRequestState> {
  return {
    async onContextBuilding({ context, extendContext }) {
      const { requestState } = context
      const principal = await authenticate(db, requestState)
      const { requestId, ifMatch } = requestState
      extendContext({ principal, requestId, ifMatch } as object)
    },
  }
}
