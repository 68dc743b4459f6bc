import type { Plugin } from '@envelop/core'
import {
  hashApiKey,
  isApiKey,
  isSessionToken,
  type Principal,
  type StoredKey,
} from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import { plans, refuseWithoutKeys } from '../core/plans.ts'
import type { RequestState, WithRequestState } from './request-state.ts'

function unauthorized(message: string): Fault {
  return new Fault('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

const sessionOver = 'The session of this browser is over. Sign in again.'

const bearer = /^Bearer +(\S+) *$/i

export interface KeyParts {
  /** The key with a hash: from memory while nothing has changed it. */
  readonly keyByHash: (hash: string) => Promise<StoredKey | null>
  /** Notes beside the request that the key was used. */
  readonly noteUse: (key: StoredKey) => void
}

function readKey({ authorization, session }: RequestState): string | Fault {
  if (authorization === undefined && session !== undefined) {
    return isSessionToken(session) ? hashApiKey(session) : unauthorized(sessionOver)
  }
  if (authorization === undefined) return unauthorized('The `Authorization` header is missing.')
  const key = bearer.exec(authorization)?.[1]
  if (!key) return unauthorized('The `Authorization` header must be `Bearer` and an API key.')
  if (!key.startsWith('sgl_')) return unauthorized('The API key must start with `sgl_`.')
  if (!isApiKey(key)) return unauthorized('The API key is mistyped: its checksum does not match.')
  return hashApiKey(key)
}

/** The hash of the key of a request; a fault for a request without what could be a key. */
export function keyHashOf(state: RequestState): string | Fault {
  state.keyHash ??= readKey(state)
  return state.keyHash
}

async function principalOf(
  { keyByHash, noteUse }: KeyParts,
  state: RequestState,
): Promise<Principal> {
  const hash = keyHashOf(state)
  if (hash instanceof Fault) throw hash
  const row = await keyByHash(hash)
  if (!row || !isAlive(row)) {
    const isSession = state.authorization === undefined
    throw unauthorized(isSession ? sessionOver : 'The API key is unknown, revoked or expired.')
  }
  state.expiresAt = row.expiresAt
  state.rateBucket = bucketOf(row)
  noteUse(row)
  if (!isOnPlan(row)) refuseWithoutKeys(row.plan)
  return principalFrom(row)
}

/** Whether a key, or the session that was looked up, still works. */
export const isAlive = ({ revokedAt, expiresAt }: StoredKey) =>
  !revokedAt && (!expiresAt || expiresAt.getTime() > Date.now())

/** API keys need a plan that has them. People sign in on every plan. */
const isOnPlan = ({ kind, plan }: StoredKey) => kind === 'browser' || plans[plan].apiKeys

const bucketOf = ({ firstKeyId, id }: StoredKey) => `key:${firstKeyId ?? id}`

function principalFrom(row: StoredKey): Principal {
  const { id, userId, workspaceId, projectId, scopes, capabilities, sessionId } = row
  const session =
    sessionId === null ? undefined : { id: sessionId, isPerson: row.kind === 'browser' }
  return { keyId: id, userId, workspaceId, projectId, scopes, capabilities, session }
}

/**
 * The key of a request, looked up once.
 * @throws {Fault} `unauthorized`; `plan_upgrade_required` where the plan of the key's workspace has no API keys
 */
export function authenticate(parts: KeyParts, state: RequestState): Promise<Principal> {
  state.authentication ??= principalOf(parts, state)
  return state.authentication
}

/** Puts the key's principal, the request id and `If-Match` into the context, or refuses the request. */
export function useAuthentication(parts: KeyParts): Plugin<WithRequestState> {
  return {
    async onContextBuilding({ context, extendContext }) {
      const { requestState } = context
      const principal = await authenticate(parts, requestState)
      const { requestId, ifMatch } = requestState
      extendContext({ principal, requestId, ifMatch } as object)
    },
  }
}
