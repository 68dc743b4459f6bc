import { invalid } from '../../core/errors.ts'
import { SitemapFault } from '../../site/sitemap/fault.ts'
import { readSitemap, type SitemapFile } from '../../site/sitemap/sitemap.ts'
import type { Entry, ImportRun, RecordCounts } from '../loads/runner.ts'
import { loadRecords } from './records.ts'
import { replaceSitemap, type SitemapRow, sitemapRow } from './sitemap-store.ts'

/** Opens the file of this name in the folder of the index; undefined when the folder lacks it. */
export type OpenBeside = (name: string) => Promise<SitemapFile | undefined>

interface Sitemap {
  readonly projectId: string
  readonly importId: string
  readonly file: SitemapFile
  readonly openBeside: OpenBeside
  readonly signal?: AbortSignal | undefined
}

class Stopped extends Error {}

/** The URLs of a sitemap, or of all sitemaps of an index, numbered through. */
async function* entriesOf(
  file: SitemapFile,
  openBeside: OpenBeside,
): AsyncGenerator<Entry<SitemapRow>, void> {
  const open = async (address: string) => {
    const name = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
    if (name === '') throw new SitemapFault(file.name, 'names a sitemap without an address')
    const child = await openBeside(name)
    if (!child) throw new SitemapFault(file.name, `names ${name}, which is not beside it`)
    return child
  }
  let number = 0
  for await (const entry of readSitemap(file, open)) {
    number++
    const found = sitemapRow(entry)
    yield 'reason' in found ? { number, reason: found.reason } : { number, row: found }
  }
}

/**
 * Replaces the sitemap of the project, and tracks its pages, in one transaction. A stopped or unreadable sitemap
 * changes nothing. A refresh that is under way then changes nothing either.
 * @throws {Fault} `invalid_argument`
 */
export async function loadSitemap(
  databaseUrl: string,
  run: ImportRun<RecordCounts>,
  { projectId, importId, file, openBeside, signal }: Sitemap,
): Promise<void> {
  const { counts } = run
  try {
    if (run.preview) return await run.preview.take(entriesOf(file, openBeside))
    const changed = await replaceSitemap(databaseUrl, {
      projectId,
      jobId: null,
      importId,
      read: async (write) => {
        const entries = entriesOf(file, openBeside)
        await loadRecords(run, { entries, keyOf: ({ url }) => url, write })
        if (signal?.aborted) throw new Stopped()
        if (counts.loaded === 0) throw new SitemapFault(file.name, 'has no URL of a page')
        return null
      },
    })
    counts.skipped += counts.loaded - (changed ?? 0)
    counts.loaded = changed ?? 0
  } catch (error) {
    if (error instanceof SitemapFault) throw invalid('sitemap', `is not accepted: ${error.message}`)
    if (!(error instanceof Stopped)) throw error
    Object.assign(counts, { loaded: 0, skipped: 0 })
  }
}
