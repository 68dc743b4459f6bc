import { LRUCache } from 'lru-cache'
import type { StoredKey } from '../../core/access.ts'
import type { Prepared } from '../../prisma/client.ts'
import { noteUses } from './stored.sql.ts'

/** How exact `lastUsedAt` is: a busy key costs one write a minute. */
const notedEveryMs = 60_000
/** Longer than memory keeps a key, and with it the time before. */
const justNotedMs = 10_000
/** The keys of this time are noted by one statement. */
const batchMs = 100

/** Notes uses of keys beside the requests. What fails is left to a later use. */
export function keyUses(db: Pick<Prepared, '$queryRawUnsafe'>): (key: StoredKey) => void {
  /** Keys whose use this process has just noted. */
  const justNoted = new LRUCache<string, true>({ max: 10_000, ttl: justNotedMs })
  let waiting: string[] = []

  function write(): void {
    const ids = waiting
    waiting = []
    db.$queryRawUnsafe(noteUses, ids, notedEveryMs).catch(() => {
      for (const id of ids) justNoted.delete(id)
    })
  }

  return ({ id, lastUsedAt }) => {
    const isNoted = lastUsedAt && lastUsedAt.getTime() > Date.now() - notedEveryMs
    if (isNoted || justNoted.has(id)) return
    justNoted.set(id, true)
    if (waiting.push(id) === 1) setTimeout(write, batchMs).unref()
  }
}
