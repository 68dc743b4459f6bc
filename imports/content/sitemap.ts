import { invalid } from '../../core/errors.ts'
import { idOf } from '../../core/ids.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { ImportRun, RecordCounts } from '../loads/runner.ts'
import { loadRecords } from './records.ts'
import {
  addSitemapUrls,
  beginSitemap,
  dropOldUrls,
  putSitemapPages,
  putSitemapUrls,
} from './sitemap.sql.ts'
import { type OpenBeside, type SitemapFile, sitemapEntries } from './sitemap-read.ts'

interface Sitemap {
  readonly projectId: string
  readonly file: SitemapFile
  readonly openBeside: OpenBeside
  readonly signal?: AbortSignal | undefined
}

/** A sitemap has at most 50,000 URLs; an index names many sitemaps. */
const timeoutMs = 10 * 60 * 1000

class Stopped extends Error {}

/**
 * Replaces the sitemap of the project, and tracks its pages, in one transaction. A stopped or unreadable sitemap
 * changes nothing.
 * @throws {Fault} `invalid_argument`
 */
export async function loadSitemap(
  db: Catalog,
  run: ImportRun<RecordCounts>,
  { projectId, file, openBeside, signal }: Sitemap,
): Promise<void> {
  const { counts } = run
  const work = async (tx: Pick<Catalog, '$executeRawUnsafe' | 'project'>) => {
    // Locks the project's row: of two sitemaps at once, each would remove the URLs of the other.
    await tx.project.update({
      where: { id: projectId },
      data: { sitemapStatus: 'idle', sitemapRefreshedAt: new Date() },
    })
    await tx.$executeRawUnsafe(beginSitemap)
    await loadRecords(run, {
      entries: sitemapEntries(file, openBeside),
      keyOf: ({ url }) => url,
      write: (rows) => {
        const records = rows.map((row) => ({ ...row, id: idOf(projectId, 'page', row.url) }))
        return tx.$executeRawUnsafe(addSitemapUrls, JSON.stringify(records))
      },
    })
    if (signal?.aborted) throw new Stopped()
    if (counts.loaded === 0) throw invalid('sitemap', `${file.name} has no URL of a page`)
    await tx.$executeRawUnsafe(dropOldUrls, projectId)
    const changed = await tx.$executeRawUnsafe(putSitemapUrls, projectId)
    await tx.$executeRawUnsafe(putSitemapPages, projectId)
    counts.skipped += counts.loaded - changed
    counts.loaded = changed
  }
  try {
    await db.$transaction(work, { timeout: timeoutMs, maxWait: 10_000 })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    Object.assign(counts, { loaded: 0, skipped: 0 })
  }
}
