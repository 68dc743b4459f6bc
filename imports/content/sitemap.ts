import { invalid } from '../../core/errors.ts'
import type { Catalog } from '../../prisma/client.ts'
import type { ImportResult } from '../answers/answers.ts'
import { idOf } from '../files/ids.ts'
import { loadRecords, type RecordOptions } from './records.ts'
import {
  addSitemapUrls,
  beginSitemap,
  dropOldUrls,
  putSitemapPages,
  putSitemapUrls,
} from './sitemap.sql.ts'
import {
  type OpenBeside,
  type SitemapFile,
  type SitemapRow,
  sitemapEntries,
} from './sitemap-read.ts'

export interface SitemapImport extends RecordOptions {
  readonly file: SitemapFile
  readonly openBeside: OpenBeside
}

/** A sitemap has 50,000 URLs at the most, an index more of these. */
const timeoutMs = 10 * 60 * 1000

class Stopped extends Error {}

/**
 * Puts a sitemap in the place of the one that the project had, and watches its pages: all at once, or, where it is
 * stopped or cannot be read as a whole, not at all.
 * @throws {Fault} `invalid_argument`
 */
export async function importSitemap(db: Catalog, options: SitemapImport): Promise<ImportResult> {
  const { projectId, file, openBeside, signal } = options
  let read: ImportResult = { read: 0, loaded: 0, skipped: 0, rejected: [] }
  const work = async (tx: Pick<Catalog, '$executeRawUnsafe' | 'project'>) => {
    // Not two at once: each would take away what the other put.
    await tx.project.update({
      where: { id: projectId },
      data: { sitemapStatus: 'idle', sitemapRefreshedAt: new Date() },
    })
    await tx.$executeRawUnsafe(beginSitemap)
    read = await loadRecords<SitemapRow>({
      ...options,
      entries: sitemapEntries(file, openBeside),
      keyOf: ({ url }) => url,
      write: (rows) => {
        const records = rows.map((row) => ({ ...row, id: idOf(projectId, 'page', row.url) }))
        return tx.$executeRawUnsafe(addSitemapUrls, JSON.stringify(records))
      },
    })
    if (signal?.aborted) throw new Stopped()
    if (read.loaded === 0) throw invalid('sitemap', `${file.name} holds no URL of a page`)
    await tx.$executeRawUnsafe(dropOldUrls, projectId)
    const loaded = await tx.$executeRawUnsafe(putSitemapUrls, projectId)
    await tx.$executeRawUnsafe(putSitemapPages, projectId)
    return loaded
  }
  try {
    const loaded = await db.$transaction(work, { timeout: timeoutMs, maxWait: 10_000 })
    return { ...read, loaded, skipped: read.loaded + read.skipped - loaded }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    return { ...read, loaded: 0, skipped: 0 }
  }
}
