import { invalid } from '../../core/errors.ts'
import { linkAnalytics } from '../../resolvers/connections/analytics.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { fieldFlaw, parseJson, rowOrReason } from '../files/flaw.ts'
import { jsonParts } from '../files/json-rows.ts'
import { linesOf } from '../files/lines.ts'
import { type Expected, hasName, type Look, lookOf, requireLook } from '../files/looks.ts'
import { peek } from '../files/peek.ts'
import { isZip, type ZippedFile, zippedFiles } from '../files/zip.ts'
import type { Entry, ImportStores } from '../loads/runner.ts'
import { type DatedRow, loadDatedRows, type RowsOptions, type RowsResult } from './dated-rows.ts'
import {
  readApiRow,
  readBulkRow,
  type SearchDimension,
  searchDimensions,
} from './search-console-row.ts'
import { exportedRows, searchTableOf } from './search-export.ts'

export interface SearchConsoleOptions extends Omit<RowsOptions, 'begin'> {
  /** An answer of the Search Analytics API, lines of the bulk export, or the export of the web page as ZIP or CSV. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The dimensions of the API request, in its order; all five unless given. */
  readonly dimensions?: readonly string[] | null | undefined
  /** The site to link; the site of a bulk export, else the linked site, else the project's domain, unless given. */
  readonly site?: string | null | undefined
}

/**
 * Loads clicks and impressions by day, query, page, country and device, and links the project to the site. A row
 * replaces the row with the same key; invalid rows are rejected.
 * @throws {Fault} `invalid_argument` for unknown dimensions, for a file without rows by day and query, and when another
 *   site is linked; the faults of `loadDatedRows`
 */
export async function importSearchConsole(
  stores: ImportStores,
  actor: Actor,
  { bytes, dimensions, site = null, ...options }: SearchConsoleOptions,
): Promise<RowsResult> {
  const keys = readDimensions(dimensions ?? searchDimensions)
  const { head, all } = await peek(bytes, 64 * 1024)
  if (isZip(head) || isTableOfDays(lookOf(head)) || searchTableOf(head) === 'days') {
    const tables = isZip(head) ? await zippedFiles(all) : [{ name: '', open: () => all }]
    return importSearchTables(stores, actor, { ...options, site, tables })
  }
  if (lookOf(head) === null) throw invalid('content', `is neither an answer of ${theApi} in JSON`)
  requireLook(head, expected)
  const found = { site }
  const rows = head.includes('"data_date"') ? bulkRows(all, found) : apiRows(all, keys)
  return loadDatedRows(stores, {
    ...options,
    actor,
    table: 'search_console',
    rows,
    begin: () => linkAnalytics(stores.db, actor, options.projectId, 'searchConsole', found.site),
  })
}

/**
 * Loads the tables of an export of the web page, as a folder has them once its ZIP is unpacked.
 * @throws {Fault} as `importSearchConsole`
 */
export async function importSearchTables(
  stores: ImportStores,
  actor: Actor,
  {
    tables,
    site = null,
    ...options
  }: Omit<SearchConsoleOptions, 'bytes' | 'dimensions'> & {
    readonly tables: readonly ZippedFile[]
  },
): Promise<RowsResult> {
  const rows = await exportedRows(stores.warehouse, options, tables)
  const begin = () => linkAnalytics(stores.db, actor, options.projectId, 'searchConsole', site)
  return loadDatedRows(stores, { ...options, actor, table: 'search_console', rows, begin })
}

/** Queries or pages alone have no days: the whole ZIP says of which period they are. */
const isTableOfDays = (look: Look | null) =>
  look?.form === 'csv' && hasName(look, 'clicks') && hasName(look, 'date', 'day')

const theApi = 'the Search Analytics API nor a bulk export'

const expected: Expected = {
  command: 'import search-console',
  field: 'content',
  takes:
    'rows by day: JSON of the Search Analytics API or of the bulk export, or the ZIP of the web page',
  also: (look) =>
    look.form === 'json' &&
    look.command === null &&
    (look.names.length === 0 || hasName(look, 'rows', 'responseaggregationtype')),
}

function readDimensions(names: readonly string[]): readonly SearchDimension[] {
  const known = names.map((name) => searchDimensions.find((each) => each === name.trim()))
  const isKnown = known.every((name) => name !== undefined)
  if (!isKnown || new Set(known).size !== known.length) {
    throw invalid(
      'dimensions',
      `must be of ${searchDimensions.join(', ')}, each once`,
      names.join(','),
    )
  }
  if (!known.includes('date')) throw invalid('dimensions', 'must include date', names.join(','))
  return known
}

async function* apiRows(
  bytes: AsyncIterable<Uint8Array>,
  dimensions: readonly SearchDimension[],
): AsyncGenerator<Entry<DatedRow>, void> {
  let number = 0
  for await (const part of jsonParts(bytes)) {
    if (part.kind === 'broken') yield { number: number + 1, reason: part.reason }
    if (part.kind !== 'row') continue
    yield rowOrReason(++number, (): DatedRow => readApiRow(parseJson('row', part.text), dimensions))
  }
}

/** @param found gets the site of the first line that names a site */
async function* bulkRows(
  bytes: AsyncIterable<Uint8Array>,
  found: { site: string | null },
): AsyncGenerator<Entry<DatedRow>, void> {
  let number = 0
  for await (const line of linesOf(bytes)) {
    number++
    if (typeof line === 'string' && line.trim() === '') continue
    yield rowOrReason(number, (): DatedRow => {
      const { site, row } = readBulkRow(parseJson('line', line))
      if (site !== '') found.site ??= site
      if (site !== '' && site !== found.site) {
        throw fieldFlaw('site_url', `must be ${found.site}`, site)
      }
      return row
    })
  }
}
