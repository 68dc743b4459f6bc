import { invalid } from '../../core/errors.ts'
import { linkAnalytics } from '../../resolvers/connections/analytics.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { fieldFlaw, parseJson, rowOrReason } from '../files/flaw.ts'
import { jsonParts } from '../files/json-rows.ts'
import { linesOf } from '../files/lines.ts'
import { firstCharacter, peek } from '../files/peek.ts'
import type { Entry, ImportStores } from '../loads/runner.ts'
import { type DatedRow, loadDatedRows, type RowsOptions, type RowsResult } from './dated-rows.ts'
import {
  readApiRow,
  readBulkRow,
  type SearchDimension,
  searchDimensions,
} from './search-console-row.ts'

export interface SearchConsoleOptions extends Omit<RowsOptions, 'begin'> {
  /** An answer of the Search Analytics API, or lines of the bulk export. */
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
  if (firstCharacter(head) !== '{') throw notByDay(head)
  const found = { site }
  const rows = head.includes('"data_date"') ? bulkRows(all, found) : apiRows(all, keys)
  return loadDatedRows(stores, {
    ...options,
    table: 'search_console',
    rows,
    begin: () => linkAnalytics(stores.db, actor, options.projectId, 'searchConsole', found.site),
  })
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

function notByDay(head: Buffer) {
  const isTable = head.subarray(0, 4000).toString('utf8').includes(',')
  const reason = isTable
    ? 'is a table of the web page, which has no rows by date and query; import an answer of the Search Analytics API, or the bulk export'
    : 'is neither an answer of the Search Analytics API nor a bulk export in JSON'
  return invalid('content', reason)
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
