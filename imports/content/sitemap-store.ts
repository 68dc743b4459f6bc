import type { Client } from 'pg'
import { idOf } from '../../core/ids.ts'
import { contentType } from '../../core/sites/content-types.ts'
import { hostOf } from '../../core/sites/urls.ts'
import { patiently } from '../../prisma/client.ts'
import { withSession } from '../../prisma/session.ts'
import type { SitemapEntry } from '../../site/sitemap/sitemap.ts'
import { fieldFlaw } from '../files/flaw.ts'
import { pageAddress, pageUrl, slugOf, urlRule } from './page-url.ts'
import {
  addSitemapUrls,
  beginSitemap,
  dropOldUrls,
  endSitemap,
  lockProject,
  lockSitemap,
  putSitemapPages,
  putSitemapUrls,
} from './sitemap.sql.ts'

/** A URL of a sitemap. `address` is its spelling there. */
export interface SitemapRow {
  readonly url: string
  readonly address: string
  readonly host: string
  readonly path: string
  readonly lastModified: string | null
  readonly slug: string
  readonly type: string
}

/** The row of an entry, or the reason why the entry has none. */
export function sitemapRow({
  address,
  lastModified,
}: SitemapEntry): SitemapRow | { reason: string } {
  if (address === '') return { reason: fieldFlaw('loc', 'is required').message }
  const url = pageUrl(address)
  if (url === null) return { reason: fieldFlaw('loc', urlRule, address).message }
  return {
    url,
    address: pageAddress(address) ?? url,
    host: hostOf(url),
    path: new URL(url).pathname,
    lastModified,
    slug: slugOf(url),
    type: contentType(url),
  }
}

/** Keeps rows until all are read. @returns how many of them are no repetition */
export type StageUrls = (rows: readonly SitemapRow[]) => Promise<number>

export interface NewSitemap {
  readonly projectId: string
  /** The refresh that reads the sitemap; null for an import by hand, which ends a refresh under way. */
  readonly jobId: string | null
  /** The import by hand; absent for a refresh. */
  readonly importId?: string
  /**
   * Reads the whole sitemap, however long that takes. An error changes nothing.
   * @returns what had to be left out, for people; null when nothing had
   */
  readonly read: (stage: StageUrls) => Promise<string | null>
}

async function begin(session: Client, projectId: string): Promise<void> {
  await session.query('ROLLBACK; BEGIN')
  await session.query(lockSitemap, [projectId])
}

/** The refresh that the project waits for. The project is locked from now on. */
async function currentJob(session: Client, projectId: string): Promise<string | null> {
  await session.query('ROLLBACK TO SAVEPOINT written')
  const { rows } = await session.query<{ jobId: string | null }>(lockProject, [projectId])
  return rows[0]?.jobId ?? null
}

/**
 * Replaces the sitemap of a project, and tracks its pages. Memory holds one batch, since PostgreSQL keeps the URLs; the
 * project is locked only for the replacement.
 * @returns the number of new and changed URLs; null where the refresh was superseded, so that nothing changed
 */
export function replaceSitemap(
  databaseUrl: string,
  { projectId, jobId, importId, read }: NewSitemap,
): Promise<number | null> {
  return withSession(databaseUrl, async (session) => {
    await session.query(beginSitemap)
    const leftOut = await read(async (rows) => {
      const records = rows.map((row) => ({ ...row, id: idOf(projectId, 'page', row.url) }))
      return (await session.query(addSitemapUrls, [JSON.stringify(records)])).rowCount ?? 0
    })
    await patiently(() => begin(session, projectId))
    await session.query(dropOldUrls, [projectId])
    const changed = await session.query(putSitemapUrls, [projectId])
    await session.query(putSitemapPages, [projectId, importId ?? null])
    // Last, so that writes to the project wait for no URL.
    await session.query('SAVEPOINT written')
    const found = await patiently(() => currentJob(session, projectId))
    if (jobId !== null && found !== jobId) return null
    await session.query(endSitemap, [projectId, jobId, leftOut])
    await session.query('COMMIT')
    return changed.rowCount ?? 0
  })
}
