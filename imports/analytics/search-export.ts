import { parse } from 'csv-parse/sync'
import { unhardened } from '../../core/csv-cell.ts'
import { invalid } from '../../core/errors.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { readDay, readText } from '../files/cells.ts'
import { findColumns, plainName } from '../files/csv-columns.ts'
import { openCsv } from '../files/csv-records.ts'
import { fieldFlaw, rowOrReason } from '../files/flaw.ts'
import type { ZippedFile } from '../files/zip.ts'
import type { Entry } from '../loads/runner.ts'
import { periodTotals } from '../loads/staged-rows.ts'
import type { DatedRow, RowsOptions } from './dated-rows.ts'
import { isPercent, readLocalCount, readLocalNumber } from './local-numbers.ts'
import { countriesOf, deviceOf, isDateWord, isWebSearch, tableByName } from './search-words.ts'

/**
 * The export of the web page of Search Console, in any of its languages: a ZIP of tables, or its table of days alone.
 * Days have no queries, and queries, pages, countries and devices have no days: these become totals of the whole period.
 * A table is known by its name, else by what is in it: Google translates names of files, headers, countries and devices,
 * but not the order of its columns.
 * @see https://support.google.com/webmasters/answer/12919192
 */

type Key = 'day' | 'query' | 'page' | 'country' | 'device'

const metricNames = {
  clicks: ['clicks'],
  impressions: ['impressions'],
  position: ['position'],
} as const

const keyNames = {
  key: [
    ...['date', 'day', 'topqueries', 'query', 'queries', 'toppages', 'page', 'pages'],
    ...['country', 'countries', 'device', 'devices'],
  ],
} as const

const names = { ...keyNames, ...metricNames }

interface Places {
  readonly key: number
  readonly clicks: number
  readonly impressions: number
  readonly position: number
}

interface Table {
  readonly name: string
  readonly header: readonly string[]
  readonly entries: readonly Entry<readonly string[]>[]
}

const noKeys = { query: '', page: '', country: '', device: '', part: '' }

/** The order of every export: what the table is of, clicks, impressions, click-through rate, position. */
const usualPlaces: Places = { key: 0, clicks: 1, impressions: 2, position: 4 }
const usualColumns = 5

/**
 * The rows of the tables.
 * @throws {Fault} `invalid_argument` without a table of days, and for an export with filters or of two periods
 */
export async function exportedRows(
  warehouse: Warehouse,
  { projectId, signal }: Pick<RowsOptions, 'projectId' | 'signal'>,
  files: readonly ZippedFile[],
): Promise<AsyncIterable<Entry<DatedRow>>> {
  const tables: Table[] = []
  for (const file of files) {
    if (files.length > 1 && !/\.csv$/i.test(file.name)) continue
    const table = await readTable(file, signal)
    if (table) tables.push(table)
  }
  const found = sorted(tables)
  if (found.filter) requireWholeSite(found.filter)
  const { day } = found
  if (!day) {
    throw invalid(
      'content',
      'has no table of days, `Chart.csv`: export Search Console without changes',
    )
  }
  const ofDays = rowsOfDays(day)
  const dates = ofDays.flatMap((entry) => ('row' in entry ? [entry.row.day] : [])).sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (from === undefined || to === undefined)
    throw invalid('content', 'has no day in its table of days')
  const detailed = await detailedDays(warehouse, { projectId, from, to })
  const period = { from, to }
  const ofPeriod = (['query', 'page', 'country', 'device'] as const).flatMap((key) => {
    const table = found[key]
    return table ? rowsOfPeriod(table, key, period) : []
  })
  return numbered([...ofDays.map((entry) => withoutDetailed(entry, detailed)), ...ofPeriod])
}

/** Tables of one archive are numbered through. */
async function* numbered(
  entries: readonly Entry<DatedRow>[],
): AsyncGenerator<Entry<DatedRow>, void> {
  let number = 0
  for (const entry of entries) yield { ...entry, number: ++number }
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
    sql: `SELECT DISTINCT toString(day) AS detailed FROM search_console WHERE project_id = {projectId:UUID} AND engine = 'google'
      AND day BETWEEN {from:Date} AND {to:Date} AND shape NOT IN ('date', {totals:String})`,
    params: { ...params, totals: periodTotals },
    row: ({ detailed }) => String(detailed),
  })
  return new Set(rows)
}

const knownNames = new Set<string>(Object.values<readonly string[]>(names).flat())

/** A whole table: Google exports at most 1,000 rows of each. */
async function readTable(
  { name, open }: ZippedFile,
  signal: AbortSignal | undefined,
): Promise<Table | undefined> {
  const csv = await openCsv(open(), (column) => knownNames.has(plainName(column)), signal)
  if (!csv) return undefined
  const entries: Entry<readonly string[]>[] = []
  for await (const record of csv.records) {
    const { line: number } = record
    if ('reason' in record) entries.push({ number, reason: record.reason })
    else entries.push({ number, row: record.cells.map((cell) => unhardened(cell).trim()) })
  }
  return { name, header: csv.header, entries }
}

const cellsOf = ({ entries }: Table, at: number) =>
  entries.flatMap((entry) => ('row' in entry ? [entry.row[at] ?? ''] : []))

/** Which table is of what: by name first, then by what is in it. Tables without rows are of nothing. */
function sorted(tables: readonly Table[]): Partial<Record<Key | 'filter', Table>> {
  const found: Partial<Record<Key | 'filter', Table>> = {}
  const open: Table[] = []
  for (const table of tables) {
    const kind = tableByName(table.name)
    if (kind && !found[kind]) found[kind] = table
    else open.push(table)
  }
  const texts: Table[] = []
  for (const table of open) {
    if (table.entries.length === 0) continue
    const kind = kindOf(table)
    if (kind === undefined) texts.push(table)
    else found[kind] ??= table
  }
  // Google has a table of appearances beside that of queries, which is of a few words.
  const isFree = (table: Table) => table.header.length >= usualColumns
  const [largest] = texts
    .filter(isFree)
    .toSorted((one, other) => other.entries.length - one.entries.length)
  if (largest) found.query ??= largest
  return found
}

function kindOf(table: Table): Key | 'filter' | undefined {
  if (table.header.length === 2) return 'filter'
  const cells = cellsOf(table, placesOf(table).key)
  if (cells.length === 0) return undefined
  if (cells.every(isDay)) return 'day'
  if (cells.every((cell) => /^https?:\/\//i.test(cell))) return 'page'
  if (cells.length <= 3 && cells.every((cell) => deviceOf(cell) !== undefined)) return 'device'
  return countriesOf(cells) ? 'country' : undefined
}

/**
 * Where the columns are: by their English names, else in the order of every export.
 * @throws {Fault} `invalid_argument` for two periods side by side, and for a table of another shape
 */
function placesOf({ header, name }: Pick<Table, 'header' | 'name'>): Places {
  const columns = findColumns(header, names)
  const [clicks, impressions, position] = [
    columns.get('clicks'),
    columns.get('impressions'),
    columns.get('position'),
  ]
  if (clicks !== undefined && impressions !== undefined && position !== undefined) {
    return { key: columns.get('key') ?? 0, clicks, impressions, position }
  }
  const file = name === '' ? 'The table' : `\`${name}\``
  if (header.length > usualColumns) {
    throw invalid('content', `compares two periods: export one period (${file} has more columns)`)
  }
  if (header.length === usualColumns) return usualPlaces
  throw invalid(
    'content',
    `${file} must have five columns: what it is of, clicks, impressions, click-through rate and position`,
  )
}

/** The numbers of a cell that is a day: `2026-01-31`, `31.01.2026`, `2026年1月31日`. */
const numbersOf = (cell: string) =>
  /^\d{1,4}\D{1,2}\d{1,2}\D{1,2}\d{1,4}\D{0,2}$/.test(cell) || /^\d{8}$/.test(cell)
    ? /^\d{8}$/.test(cell)
      ? [cell.slice(0, 4), cell.slice(4, 6), cell.slice(6)]
      : (cell.match(/\d+/g) ?? [])
    : []

const isDay = (cell: string) => {
  const parts = numbersOf(cell)
  return parts.length === 3 && parts.some((part) => part.length === 4)
}

/** Where year, month and day are in a cell. */
const orders = [
  [0, 1, 2],
  [2, 1, 0],
  [2, 0, 1],
] as const

type Order = (typeof orders)[number]

function dayIn(cell: string, [year, month, day]: Order): string | undefined {
  const parts = numbersOf(cell)
  const text = [
    parts[year]?.padStart(4, '0'),
    parts[month]?.padStart(2, '0'),
    parts[day]?.padStart(2, '0'),
  ].join('-')
  return Number.isNaN(Date.parse(`${text}T00:00Z`)) ||
    !new Date(`${text}T00:00Z`).toISOString().startsWith(text)
    ? undefined
    : text
}

/** The order in which all cells are days, and these follow each other: `01/02` may be of January or of February. */
function orderOf(cells: readonly string[]): Order {
  const fits = orders.filter((order) => cells.every((cell) => dayIn(cell, order) !== undefined))
  const spanOf = (order: Order) => {
    const days = cells.map((cell) => dayIn(cell, order) ?? '').sort()
    return Date.parse(days.at(-1) ?? '') - Date.parse(days[0] ?? '')
  }
  return fits.toSorted((a, b) => spanOf(a) - spanOf(b))[0] ?? orders[0]
}

function numbersIn(cells: readonly string[], places: Places) {
  const position = cells[places.position] ?? ''
  return {
    clicks: readLocalCount('Clicks', cells[places.clicks] ?? ''),
    impressions: readLocalCount('Impressions', cells[places.impressions] ?? ''),
    // A day or page without impressions has no position.
    position: position === '' ? 0 : readLocalNumber('Position', position),
  }
}

function rowsOfDays(table: Table): Entry<DatedRow>[] {
  const places = placesOf(table)
  const order = orderOf(cellsOf(table, places.key).filter(isDay))
  return table.entries.map((entry) => {
    if (!('row' in entry)) return entry
    const cells = entry.row
    return rowOrReason(entry.number, () => ({
      ...noKeys,
      day: readDay('Date', dayIn(cells[places.key] ?? '', order) ?? cells[places.key]),
      shape: 'date',
      ...numbersIn(cells, places),
    }))
  })
}

function rowsOfPeriod(
  table: Table,
  key: Exclude<Key, 'day'>,
  { from, to }: { readonly from: string; readonly to: string },
): Entry<DatedRow>[] {
  if (table.entries.length === 0) return []
  const places = placesOf(table)
  const cells = cellsOf(table, places.key)
  const countries = new Map(
    key === 'country' ? (countriesOf(cells) ?? []).map((code, at) => [cells[at] ?? '', code]) : [],
  )
  return table.entries.map((entry) => {
    if (!('row' in entry)) return entry
    const row = entry.row
    return rowOrReason(entry.number, () => ({
      ...noKeys,
      [key]: nameOf(key, row[places.key] ?? '', countries),
      part: `from ${from}`,
      day: to,
      shape: periodTotals,
      ...numbersIn(row, places),
    }))
  })
}

function nameOf(key: Key, cell: string, countries: ReadonlyMap<string, string>): string {
  if (key === 'country') return countries.get(cell) ?? 'zzz'
  if (key === 'device') {
    const device = deviceOf(cell)
    if (device) return device
    throw fieldFlaw('device', 'must be desktop, mobile or tablet', cell)
  }
  const text = readText(key, cell, 8000)
  if (text === '') throw fieldFlaw(key, 'is required')
  return text
}

/** An export of the whole site has two filters, in any language: the search of web pages, and a date. */
const usualFilters = 2

/** Refuses an export of a part of the site, or of a search for images, whose numbers are not those of the site. */
function requireWholeSite(table: Table): void {
  const filters = table.entries.flatMap((entry) =>
    'row' in entry ? [{ filter: entry.row[0] ?? '', value: entry.row[1] ?? '' }] : [],
  )
  const isUsual = ({ filter, value }: { readonly filter: string; readonly value: string }) =>
    isDateWord(filter) || isWebSearch(value)
  const others = filters.filter((each) => !isUsual(each))
  // In a language whose words are not known, two filters are the usual ones where one of them is.
  if (
    others.length === 0 ||
    (filters.length === usualFilters &&
      others.length === 1 &&
      filters.some(({ value }) => isWebSearch(value)))
  )
    return
  const [{ filter, value } = { filter: '', value: '' }] = others
  throw invalid('content', `is filtered by ${filter}: export Search Console without filters`, value)
}

/** The first bytes of a table of Search Console in any language: of days, or of something without days. */
export function searchTableOf(head: Uint8Array): 'days' | 'totals' | null {
  const text = Buffer.from(head.subarray(0, 4096))
    .toString('utf8')
    .replace(/^\ufeff/, '')
  const lines = text.split(/\r?\n|\r/).slice(0, 2)
  for (const delimiter of [',', ';', '\t']) {
    const [header = [], first = []] = lines.map((line) => cellsOfLine(line, delimiter))
    if (header.length !== usualColumns || first.length !== usualColumns) continue
    const [key = '', clicks = '', impressions = '', rate = ''] = first
    const isRow = /^\d/.test(clicks) && /^\d/.test(impressions) && isPercent(rate)
    if (isRow) return isDay(key) ? 'days' : 'totals'
  }
  return null
}

function cellsOfLine(line: string, delimiter: string): string[] {
  try {
    const [cells = []] = parse(line, {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
    }) as string[][]
    return cells.map((cell) => cell.trim())
  } catch {
    return []
  }
}
