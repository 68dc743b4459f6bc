import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog, Db } from '../../prisma/client.ts'
import type { PageResult } from '../../site/page/read.ts'
import type { Site } from '../../site/site.ts'
import type { WorkSources } from '../job.ts'
import { lockedRunning, recordedPage } from './slice.sql.ts'
import type { KeptReading } from './state.ts'
import { storedJson, storedText } from './stored-json.ts'

type QueuedPage = NonNullable<Awaited<ReturnType<Db['auditPage']['findFirst']>>>

/** The next page that an audit has not read, in the order of URLs. */
export function nextPage(db: Db, auditId: string): Promise<QueuedPage | null> {
  return db.auditPage.findFirst({
    where: { auditId, status: 'queued' },
    orderBy: [{ url: 'asc' }, { pageId: 'asc' }],
  })
}

/** Runs `work` while the audit is running, under its lock. Returns whether it is. */
export function whileRunning(
  db: Catalog,
  auditId: string,
  work: (tx: Db) => Promise<unknown>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const locked = await tx.$queryRawUnsafe<unknown[]>(lockedRunning, auditId)
    if (locked.length === 0) return false
    await work(tx)
    return true
  })
}

function statusOf({ reading: { outcome } }: KeptReading) {
  const status = outcome.kind === 'skipped' ? ('skipped' as const) : ('completed' as const)
  return { status, httpStatus: 'answer' in outcome ? outcome.answer.status : null }
}

/** Pauses before the second and the third try to read a page. */
const retryMs = [1_000, 4_000]

/** A site never makes a reading throw: an error is our fault. After all tries the audit goes on without the page. */
async function readOrFail(
  { log }: WorkSources,
  site: Site,
  { auditId, pageId, url, address }: QueuedPage,
  signal: AbortSignal,
): Promise<PageResult | null> {
  for (let tries = 1; ; tries++) {
    try {
      // Only the URL of a page is known that was never spelled.
      return await site.read(address, address !== url)
    } catch (err) {
      signal.throwIfAborted()
      log.error({ err, auditId, pageId, tries }, 'an audit could not read a page')
    }
    const pauseMs = retryMs[tries - 1]
    if (pauseMs === undefined) return null
    await sleep(pauseMs, undefined, { signal })
  }
}

/** Reads one page and records it once. Returns false when the audit no longer runs. */
export async function readPage(
  sources: WorkSources,
  site: Site,
  queued: QueuedPage,
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = sources
  const { auditId, pageId } = queued
  const found = await readOrFail(sources, site, queued, signal)
  if (found === null) {
    const where = { auditId, pageId, status: 'queued' } as const
    return whileRunning(db, auditId, (tx) =>
      tx.auditPage.updateMany({ where, data: { status: 'failed' } }),
    )
  }
  const { reading, page } = found
  const kept: KeptReading = { reading, document: page?.document ?? null }
  const { status, httpStatus } = statusOf(kept)
  const { title = null, description = null } = page?.document ?? {}
  const texts = [title, description, page?.main ?? null].map((text) => text && storedText(text))
  const running = await db.$queryRawUnsafe<unknown[]>(
    recordedPage,
    ...[auditId, pageId, status, httpStatus, storedJson(kept), ...texts],
  )
  return running.length > 0
}
