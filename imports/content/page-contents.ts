import { z } from 'zod'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { insert, run, type Warehouse } from '../../warehouse/run.ts'
import { checkShape, parseObject, rowOrReason } from '../files/flaw.ts'
import { type Line, linesOf } from '../files/lines.ts'
import { type Expected, hasName, requireLook } from '../files/looks.ts'
import { peek } from '../files/peek.ts'
import { withRetries } from '../loads/insert-batches.ts'
import { whileRowsChange } from '../loads/lock.ts'
import { nilImport } from '../loads/record.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  type ImportStores,
  runImport,
} from '../loads/runner.ts'
import { loadRecords } from './records.ts'

interface PageContent {
  readonly url: string
  readonly title: string
  readonly content: string
  /** ISO 8601. */
  readonly fetchedAt: string
}

const expected: Expected = {
  command: 'import page-contents',
  field: 'lines',
  takes: 'JSON lines with `url`, `content` and `fetchedAt`',
  also: (look) => look.form === 'json' && hasName(look, 'content', 'fetchedat'),
}
const dayLength = 'YYYY-MM-DD'.length
const hourMs = 60 * 60 * 1000
const text = z.string().transform((value) => value.toWellFormed())

const url = z.string().transform((value, context) => {
  const normal = normaliseUrl(value.trim())
  if (normal !== null) return normal
  context.addIssue('must be an http or https URL')
  return z.NEVER
})

const time = z.iso
  .datetime({
    offset: true,
    error: 'must be an ISO 8601 timestamp with its offset, such as 2025-05-24T15:56:04Z',
  })
  .transform((value, context) => {
    const ms = Date.parse(value)
    if (ms < Date.parse('2000-01-01')) context.addIssue('must not be before the year 2000')
    if (ms > Date.now() + hourMs) context.addIssue('must not be in the future')
    return new Date(ms).toISOString()
  })

const shape = z.object({
  url,
  title: text.nullish().transform((title) => title ?? ''),
  content: text.pipe(z.string().regex(/\S/, 'is empty')),
  fetchedAt: time,
})

function readLine(line: Line, number: number): Entry<PageContent> | null {
  const text = number === 1 && typeof line === 'string' ? line.replace(/^\ufeff/, '') : line
  if (typeof text === 'string' && text.trim() === '') return null
  const size = typeof text === 'string' ? text.length : 0
  return { ...rowOrReason(number, () => checkShape(shape, parseObject(text))), size }
}

async function* entriesOf(bytes: AsyncIterable<Uint8Array>) {
  let number = 0
  for await (const line of linesOf(bytes)) {
    const entry = readLine(line, ++number)
    if (entry) yield entry
  }
}

/** Time when the stored text of each URL was fetched, as Unix time in milliseconds. */
async function fetchedBefore(
  warehouse: Warehouse,
  projectId: string,
  urls: readonly string[],
): Promise<Map<string, number>> {
  const rows = await withRetries(() =>
    run(warehouse, {
      id: 'page-contents.present',
      sql: `SELECT url, toUnixTimestamp64Milli(max(fetched_at)) AS fetchedMs FROM page_contents
             WHERE project_id = {projectId:UUID} AND url IN {urls:Array(String)} AND origin = 'import'
             GROUP BY url`,
      params: { projectId, urls },
      row: (raw) => [String(raw.url), Number(raw.fetchedMs)] as const,
    }),
  )
  return new Map(rows)
}

/**
 * Loads texts of pages that answers cite, one JSON object a line: `url`, `title`, `content`, `fetchedAt`. Readers see
 * the text of a page that was fetched last.
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`; 502 when the
 *   warehouse does not come back within some seconds
 */
export function importPageContents(
  stores: ImportStores,
  options: ImportOptions & { readonly bytes: AsyncIterable<Uint8Array> },
): Promise<ImportResult> {
  const counts = { loaded: 0, skipped: 0 }
  const recorded = { ...options, kind: 'page_contents' } as const
  return runImport(stores, recorded, counts, async (run, { id }) => {
    const { head, all } = await peek(options.bytes, 1, options.signal)
    requireLook(head, expected)
    if (run.preview) return run.preview.take(entriesOf(all))
    await whileRowsChange(stores.databaseUrl, () =>
      loadRecords(run, {
        entries: entriesOf(all),
        // The engine keeps the newer text of two.
        keyOf: (page) => `${page.fetchedAt} ${page.url}`,
        write: async (pages) => {
          const importId = run.record?.id ?? nilImport
          const written = await writeNewer(stores.warehouse, { projectId: id, importId }, pages)
          for (const { fetchedAt } of written) run.loadedDays.add(fetchedAt.slice(0, dayLength))
          return written.length
        },
      }),
    )
  })
}

/** @returns the pages whose text is newer than the stored one */
async function writeNewer(
  warehouse: Warehouse,
  { projectId, importId }: { readonly projectId: string; readonly importId: string },
  pages: readonly PageContent[],
): Promise<PageContent[]> {
  const urls = pages.map((page) => page.url)
  const before = await fetchedBefore(warehouse, projectId, urls)
  const isNewer = ({ url, fetchedAt }: PageContent) =>
    Date.parse(fetchedAt) > (before.get(url) ?? -1)
  const newer = pages.filter(isNewer)
  const rows = newer.map(({ fetchedAt, ...page }) => {
    return { project_id: projectId, import_id: importId, ...page, fetched_at: fetchedAt }
  })
  const token = crypto.randomUUID()
  await withRetries(() => insert(warehouse, { table: 'page_contents', rows, token }))
  return newer
}
