import { hash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { openSecret, sealSecret } from '../core/collecting/providers/sealed.ts'
import type { Db } from '../prisma/client.ts'
import { endGrant, type GrantEnd } from '../resolvers/keys/clients.ts'
import { inTransaction } from '../resolvers/shared/transaction.ts'

/**
 * How long a refresh token that was used works on, from its first use. Clients run several processes on one store of tokens:
 * each may send the token that another has just used.
 * @see docs/adr/0040-oauth-by-oidc-provider.md
 */
const reuseWindowMs = 120_000

export interface RecordParts {
  readonly db: Db
  /** The first seals secrets of clients; all of them open. */
  readonly signingSecrets: readonly [string, ...string[]]
  /** Why the library ends a grant in the request under way. */
  readonly whyEnding: () => GrantEnd
  /** The error for a code that another request has just used. */
  readonly codeUsed: () => Error
}

/** Tokens and codes are stored by their hash, so that nobody can send what the catalog holds. */
export const idHashOf = (id: string): string => hash('sha256', id)

type Json = Parameters<Db['oAuthRecord']['create']>[0]['data']['payload']

const never = async () => undefined

/** Sessions of the library are for asking a person once. Here each authorization asks. */
const nothing: Adapter = {
  upsert: never,
  find: never,
  findByUid: never,
  findByUserCode: never,
  consume: never,
  destroy: never,
  revokeByGrantId: never,
}

const placeOf = (id: string) => `oauth client ${id}`

/** Clients that have registered themselves. */
function clients({ db, signingSecrets }: RecordParts): Adapter {
  return {
    ...nothing,
    async upsert(id, { client_secret: secret, ...metadata }) {
      const sealed =
        secret === undefined ? null : sealSecret(signingSecrets[0], placeOf(id), secret)
      const data = { metadata: metadata as Json, sealed }
      await db.oAuthClient.upsert({ where: { id }, create: { id, ...data }, update: data })
    },
    async find(id) {
      const found = await db.oAuthClient.findUnique({ where: { id } })
      if (!found) return undefined
      const metadata = found.metadata as AdapterPayload
      if (found.sealed === null) return metadata
      const opened = openSecret(signingSecrets, placeOf(id), found.sealed)
      // After the loss of `secrets.json` the client must register again.
      return opened ? { ...metadata, client_secret: opened.text } : undefined
    },
    async destroy(id) {
      await db.oAuthClient.deleteMany({ where: { id } })
    },
  }
}

/** Codes, tokens, grants and authorizations under way. */
function records(kind: string, parts: RecordParts): Adapter {
  const { db } = parts
  const keyOf = (id: string) => ({ kind_idHash: { kind, idHash: idHashOf(id) } })

  /**
   * Whether a second use of a token or a code is one too many. A process may be killed between the use of a refresh token and
   * the tokens in its place: their client has the former one alone, which works on.
   */
  async function isOver(consumedAt: Date, grantId: string | null): Promise<boolean> {
    if (kind !== 'RefreshToken') return true
    if (grantId === null || consumedAt.getTime() > Date.now() - reuseWindowMs) return false
    const replaced = { grantId, lastRefreshAt: { gte: consumedAt } }
    return (await db.connectedClient.count({ where: replaced })) > 0
  }

  /** Whether the key of a grant still works. */
  async function isLive(grantId: string): Promise<boolean> {
    const alive = { revokedAt: null, expiresAt: { gt: new Date() } }
    return (await db.connectedClient.count({ where: { grantId, apiKey: alive } })) > 0
  }

  return {
    ...nothing,
    async upsert(id, { jti: _, ...payload }, seconds = 0) {
      const grantId = kind === 'Grant' ? id : (payload.grantId ?? null)
      const expiresAt = new Date(Date.now() + seconds * 1000)
      const data = { payload: payload as Json, grantId, expiresAt }
      const idHash = idHashOf(id)
      await inTransaction(db, async (tx) => {
        await tx.oAuthRecord.upsert({
          where: keyOf(id),
          create: { kind, idHash, ...data },
          update: data,
        })
        if (kind !== 'AccessToken' || grantId === null) return
        // From its first token a connection is one.
        const lastRefreshAt = new Date()
        await tx.connectedClient.updateMany({ where: { grantId }, data: { lastRefreshAt } })
      })
    },
    async find(id) {
      const found = await db.oAuthRecord.findUnique({ where: keyOf(id) })
      if (!found || (kind === 'Grant' && !(await isLive(id)))) return undefined
      const { payload, consumedAt, grantId } = found
      const isUsed = consumedAt !== null && (await isOver(consumedAt, grantId))
      const consumed = isUsed ? { consumed: Math.floor(consumedAt.getTime() / 1000) } : {}
      return { ...(payload as AdapterPayload), jti: id, ...consumed }
    },
    async consume(id) {
      const unused = { consumedAt: null }
      // One that was used long ago and still works was never replaced: its window begins again.
      const windowAgo = new Date(Date.now() - reuseWindowMs)
      const unreplaced = kind === 'RefreshToken' ? [{ consumedAt: { lte: windowAgo } }] : []
      const { count } = await db.oAuthRecord.updateMany({
        where: { kind, idHash: idHashOf(id), OR: [unused, ...unreplaced] },
        data: { consumedAt: new Date() },
      })
      if (count === 0 && kind === 'AuthorizationCode') throw parts.codeUsed()
    },
    async destroy(id) {
      if (kind === 'Grant') return endGrant(db, id, parts.whyEnding())
      await db.oAuthRecord.deleteMany({ where: { kind, idHash: idHashOf(id) } })
    },
    async revokeByGrantId(grantId) {
      await db.oAuthRecord.deleteMany({ where: { kind, grantId } })
    },
  }
}

/** Where the library keeps what it knows: in the catalog. */
export const recordAdapter =
  (parts: RecordParts) =>
  (kind: string): Adapter => {
    if (kind === 'Session') return nothing
    return kind === 'Client' ? clients(parts) : records(kind, parts)
  }
