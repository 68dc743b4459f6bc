import type { Db } from '../../prisma/client.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** How long a person's consent waits for the first token of its client, which comes within a minute. */
const firstTokenMs = hourMs
/** How long a client that has registered itself waits for the consent of a person. */
const firstGrantMs = 7 * dayMs

/**
 * Removes what AI clients leave behind: codes and tokens past their end, consents whose client got no token, changes that were
 * planned more than a day ago, and clients that registered themselves and were never connected.
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
  await db.plannedChange.deleteMany({ where: { createdAt: before(dayMs) } })
  await db.oAuthClient.deleteMany({
    where: { lastGrantAt: null, createdAt: before(firstGrantMs) },
  })
}
