import type { Plugin } from '@envelop/core'
import { hashApiKey, isApiKey, type Principal, type StoredKey } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import { plans, refuseWithoutKeys } from '../core/plans.ts'
import type { RequestState, WithRequestState } from './request-state.ts'

function unauthorized(message: string): Fault {
  return new Fault('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

const bearer = /^Bearer +(\S+) *$/i

export interface KeyParts {
  /** The key with a hash: from memory while nothing has changed it. */
  readonly keyByHash: (hash: string) => Promise<StoredKey | null>
  /** Notes beside the request that the key was used. */
  readonly noteUse: (key: StoredKey) => void
}

function readKey(authorization: string | undefined): string | Fault {
  if (authorization === undefined) return unauthorized('The `Authorization` header is missing.')
  const key = bearer.exec(authorization)?.[1]
  if (!key) return unauthorized('The `Authorization` header must be `Bearer` and an API key.')
  if (!key.startsWith('sgl_')) return unauthorized('The API key must start with `sgl_`.')
  if (!isApiKey(key)) return unauthorized('The API key is mistyped: its checksum does not match.')
  return hashApiKey(key)
}

/** The hash of the key of a request; a fault for a request without what could be a key. */
export function keyHashOf(state: RequestState): string | Fault {
  state.keyHash ??= readKey(state.authorization)
  return state.keyHash
}

async function principalOf(
  { keyByHash, noteUse }: KeyParts,
  state: RequestState,
): Promise<Principal> {
  const hash = keyHashOf(state)
  if (hash instanceof Fault) throw hash
  const row = await keyByHash(hash)
  if (!row || !isAlive(row)) throw unauthorized('The API key is unknown, revoked or expired.')
  state.expiresAt = row.expiresAt
  state.rateBucket = bucketOf(row)
  noteUse(row)
  if (!isOnPlan(row)) refuseWithoutKeys(row.plan)
  return principalFrom(row)
}

const isAlive = ({ revokedAt, expiresAt }: StoredKey) =>
  !revokedAt && (!expiresAt || expiresAt.getTime() > Date.now())

/** API keys need a plan that has them. People sign in on every plan. */
const isOnPlan = ({ isSession, plan }: StoredKey) => isSession || plans[plan].apiKeys

const bucketOf = ({ firstKeyId, id }: StoredKey) => `key:${firstKeyId ?? id}`

function principalFrom(row: StoredKey): Principal {
  const { id, userId, workspaceId, projectId, scopes, capabilities } = row
  return { keyId: id, userId, workspaceId, projectId, scopes, capabilities }
}

const scheme = 'Bearer '

const knownFrom = (row: StoredKey, hash: string) => ({
  row,
  hash,
  principal: principalFrom(row),
  rateBucket: bucketOf(row),
})

type KnownKey = ReturnType<typeof knownFrom>

/**
 * The last key of each connection by its header, for as long as the connection is there: a hash takes longer than all other
 * checks. A map compares a hash of the whole text, by a seed of the process. So where clients share a connection, the time
 * of an answer shows nothing of another's key.
 */
const lastKeys = new WeakMap<object, ReadonlyMap<string, KnownKey>>()

/**
 * The key of a request, if memory knows it and it is alive. Its use is noted by a request that reads it, every few seconds.
 * A known hash proves that the rest was a key: nothing else is checked. Other spellings of the header go the usual way.
 * @param storedKey the key with a hash, if memory has it
 */
export function knownKey(
  storedKey: (hash: string) => StoredKey | undefined,
  { socket, headers: { authorization } }: KeyedRequest,
): KnownKey | undefined {
  if (!authorization?.startsWith(scheme)) return undefined
  const last = lastKeys.get(socket)?.get(authorization)
  const hash = last?.hash ?? hashApiKey(authorization.slice(scheme.length))
  const row = storedKey(hash)
  if (row === undefined || !isAlive(row) || !isOnPlan(row)) return undefined
  if (last?.row === row) return last
  const known = knownFrom(row, hash)
  lastKeys.set(socket, new Map([[authorization, known]]))
  return known
}

/** What of a request names its key. */
interface KeyedRequest {
  readonly socket: object
  readonly headers: { readonly authorization?: string | undefined }
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
