import { countryCode3 } from '../../core/countries.ts'
import { invalid } from '../../core/errors.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { readCount, readDay, readNumber, readText } from '../files/cells.ts'
import { csvEntries } from '../files/csv-columns.ts'
import { fieldFlaw } from '../files/flaw.ts'
import type { ZippedFile } from '../files/zip.ts'
import type { Entry } from '../loads/runner.ts'
import { periodTotals } from '../loads/staged-rows.ts'
import type { DatedRow, RowsOptions } from './dated-rows.ts'
import { readDevice } from './search-console-row.ts'

/**
 * The export of the web page of Search Console: a ZIP of tables, or its table of days alone. Days have no queries, and
 * queries, pages, countries and devices have no days: these become totals of the whole period.
 * @see https://support.google.com/webmasters/answer/12919192
 */

type Key = 'day' | 'query' | 'page' | 'country' | 'device'

const names = {
  day: ['date', 'day'],
  query: ['topqueries', 'query', 'queries'],
  page: ['toppages', 'page', 'pages'],
  country: ['country', 'countries'],
  device: ['device', 'devices'],
  clicks: ['clicks'],
  impressions: ['impressions'],
  position: ['position'],
} as const

type Cells = Readonly<Record<keyof typeof names, string>>
type Bytes = AsyncIterable<Uint8Array>

const noKeys = { query: '', page: '', country: '', device: '', part: '' }

/**
 * The rows of the tables.
 * @throws {Fault} `invalid_argument` without a table of days, and for an export with filters
 */
export async function exportedRows(
  warehouse: Warehouse,
  { projectId, signal }: Pick<RowsOptions, 'projectId' | 'signal'>,
  tables: readonly ZippedFile[],
): Promise<AsyncIterable<Entry<DatedRow>>> {
  const found = (name: RegExp) => tables.find((table) => name.test(table.name))
  const filters = found(/(?:^|\/)filters\.csv$/i)
  if (filters) await requireWholeSite(filters.open(), signal)
  const days = found(/(?:^|\/)(?:chart|dates)\.csv$|^$/i)
  if (!days) {
    throw invalid(
      'content',
      'has no table of days, `Chart.csv`: export Search Console without changes',
    )
  }
  const ofDays = await entriesOf(days.open(), 'day', signal)
  const dates = ofDays.flatMap((entry) => ('row' in entry ? [entry.row.day] : [])).sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (from === undefined || to === undefined)
    throw invalid('content', 'has no day in its table of days')
  const detailed = await detailedDays(warehouse, { projectId, from, to })
  const ofPeriod = [
    ['query', found(/(?:^|\/)queries\.csv$/i)],
    ['page', found(/(?:^|\/)pages\.csv$/i)],
    ['country', found(/(?:^|\/)countries\.csv$/i)],
    ['device', found(/(?:^|\/)devices\.csv$/i)],
  ] as const
  const period = { from, to }
  async function* all(): AsyncGenerator<Entry<DatedRow>, void> {
    yield* ofDays.map((entry) => withoutDetailed(entry, detailed))
    for (const [key, table] of ofPeriod) {
      if (table) yield* await entriesOf(table.open(), key, signal, period)
    }
  }
  return numbered(all())
}

/** Tables of one archive are numbered through. */
async function* numbered(
  entries: AsyncIterable<Entry<DatedRow>>,
): AsyncGenerator<Entry<DatedRow>, void> {
  let number = 0
  for await (const entry of entries) yield { ...entry, number: ++number }
}

/** Totals of a day never replace its rows by query or page. */
function withoutDetailed(entry: Entry<DatedRow>, days: ReadonlySet<string>): Entry<DatedRow> {
  if (!('row' in entry) || !days.has(entry.row.day)) return entry
  const { number, row } = entry
  return { number, reason: `${row.day} has rows by query or page already: its total is left out.` }
}

async function detailedDays(
  warehouse: Warehouse,
  params: { readonly projectId: string; readonly from: string; readonly to: string },
): Promise<ReadonlySet<string>> {
  const rows = await run(warehouse, {
    id: 'rows.detailed-days',
    sql: `SELECT DISTINCT toString(day) AS detailed FROM search_console WHERE project_id = {projectId:UUID}
      AND day BETWEEN {from:Date} AND {to:Date} AND shape NOT IN ('date', {totals:String})`,
    params: { ...params, totals: periodTotals },
    row: ({ detailed }) => String(detailed),
  })
  return new Set(rows)
}

async function entriesOf(
  bytes: Bytes,
  key: Key,
  signal: AbortSignal | undefined,
  period?: { readonly from: string; readonly to: string },
): Promise<Entry<DatedRow>[]> {
  const required = [key, 'clicks', 'impressions', 'position'] as const
  const read = (cells: Cells) => rowOf(cells, key, period)
  const entries: Entry<DatedRow>[] = []
  for await (const entry of csvEntries(bytes, { names, required, read }, signal))
    entries.push(entry)
  return entries
}

function rowOf(
  cells: Cells,
  key: Key,
  period: { readonly from: string; readonly to: string } | undefined,
): DatedRow {
  const counts = {
    clicks: readCount('Clicks', cells.clicks),
    impressions: readCount('Impressions', cells.impressions),
    // A day or page without impressions has no position.
    position: cells.position === '' ? 0 : readNumber('Position', cells.position),
  }
  if (period === undefined) {
    return { ...noKeys, day: readDay('Date', cells.day), shape: 'date', ...counts }
  }
  const named = { ...noKeys, [key]: nameOf(key, cells[key]), part: `from ${period.from}` }
  return { ...named, day: period.to, shape: periodTotals, ...counts }
}

function nameOf(key: Key, cell: string): string {
  if (key === 'country') return countryCode3(cell) ?? 'zzz'
  if (key === 'device') return readDevice(cell)
  const text = readText(key, cell, 8000)
  if (text === '') throw fieldFlaw(key, 'is required')
  return text
}

const filterNames = { filter: ['filter'], value: ['value'] } as const

/** Refuses an export of a part of the site, or of a search for images, whose numbers are not those of the site. */
async function requireWholeSite(bytes: Bytes, signal: AbortSignal | undefined): Promise<void> {
  const read = ({ filter, value }: Readonly<Record<'filter' | 'value', string>>) => ({
    filter,
    value,
  })
  const required = ['filter', 'value'] as const
  for await (const entry of csvEntries(bytes, { names: filterNames, required, read }, signal)) {
    if (!('row' in entry)) continue
    const { filter, value } = entry.row
    if (/^date$/i.test(filter)) continue
    if (/^search type$/i.test(filter) && /^web$/i.test(value)) continue
    throw invalid(
      'content',
      `is filtered by ${filter}: export Search Console without filters`,
      value,
    )
  }
}
