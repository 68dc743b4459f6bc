import type { Db } from '../../prisma/client.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** How long a person's consent waits for the first token of its client, which comes within a minute. */
const firstTokenMs = hourMs
/** How long a client that has registered itself waits for the consent of a person. */
const firstGrantMs = 7 * dayMs

/**
 * Ends connections that no client can use any more, because the last of their tokens is over. One that was never used goes: its
 * client did not get the tokens, and was connected again.
 */
async function endTokenless(db: Db, now: Date): Promise<void> {
  const alive = await db.connectedClient.findMany({
    where: { lastRefreshAt: { not: null }, apiKey: { revokedAt: null, expiresAt: { gt: now } } },
    select: { grantId: true, apiKeyId: true },
  })
  const held = await db.oAuthRecord.groupBy({
    by: ['grantId'],
    where: { grantId: { not: null }, kind: { in: ['AccessToken', 'RefreshToken'] } },
  })
  const grants = new Set(held.map(({ grantId }) => grantId))
  const ids = alive.filter(({ grantId }) => !grants.has(grantId)).map(({ apiKeyId }) => apiKeyId)
  await db.apiKey.deleteMany({ where: { id: { in: ids }, lastUsedAt: null } })
  await db.apiKey.updateMany({ where: { id: { in: ids } }, data: { expiresAt: now } })
}

/**
 * Removes what AI clients leave behind: codes and tokens past their end, consents whose client got no token, connections that
 * nobody can use, changes that were planned more than a day ago, and clients that registered themselves and were never connected.
 */
export async function removeEndedConnections(db: Db, now = new Date()): Promise<void> {
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms) })
  await db.oAuthRecord.deleteMany({ where: { expiresAt: before(0) } })
  await db.apiKey.deleteMany({
    where: {
      kind: 'connection',
      client: { lastRefreshAt: null, createdAt: before(firstTokenMs) },
    },
  })
  await endTokenless(db, now)
  await db.plannedChange.deleteMany({ where: { createdAt: before(dayMs) } })
  await db.oAuthClient.deleteMany({
    where: { lastGrantAt: null, createdAt: before(firstGrantMs) },
  })
}
