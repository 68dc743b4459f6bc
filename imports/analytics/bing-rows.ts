import { z } from 'zod'
import { weekBegin } from '../../core/pulling.ts'
import type { DateRange } from '../../core/window.ts'
import { linkAnalytics } from '../../resolvers/connections/analytics.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { readCount, readText } from '../files/cells.ts'
import { Flaw, fieldFlaw, rowOrReason } from '../files/flaw.ts'
import type { Entry, ImportStores } from '../loads/runner.ts'
import { weekTotals } from '../loads/staged-rows.ts'
import type { AskBing } from './bing.ts'
import { type DatedRow, loadDatedRows, type RowsResult } from './dated-rows.ts'

const noKeys = { query: '', page: '', country: '', device: '', engine: 'bing' }

const stats = z.object({
  Date: z.string(),
  Clicks: z.unknown(),
  Impressions: z.unknown(),
  /** A page where the method is of pages. Days have none. */
  Query: z.unknown().optional(),
  AvgImpressionPosition: z.number().optional(),
})

/**
 * A row of GetRankAndTrafficStats is of one day and the whole site, without a position. One of GetQueryStats or
 * GetPageStats adds up the week that ends on its day, which is a Friday: it stays a week, since nobody knows its days.
 * @throws {Flaw}
 */
export function readBingRow(row: unknown, of: 'day' | 'query' | 'page'): DatedRow {
  const { data } = stats.safeParse(row)
  if (!data) throw new Flaw('The row must have `Date`, `Clicks` and `Impressions`.')
  const day = readBingDay(data.Date)
  const counts = {
    clicks: readCount('Clicks', data.Clicks),
    impressions: readCount('Impressions', data.Impressions),
  }
  if (of === 'day') return { ...noKeys, day, part: '', shape: 'date', ...counts, position: 0 }
  const name = readText('Query', data.Query, 8000)
  if (name === '') throw fieldFlaw('Query', 'is required')
  const position = Math.max(0, data.AvgImpressionPosition ?? 0)
  const week = { part: `from ${weekBegin(day)}`, shape: weekTotals }
  return { ...noKeys, [of]: name, day, ...week, ...counts, position }
}

/** A moment as .NET writes it. Bing's are midnight of its Pacific time, with or without the offset. */
const moment = /^\/Date\((-?\d{1,15})([+-]\d{2})?(\d{2})?\)\/$/

function readBingDay(text: string): string {
  const [, ms, hours = '+00', minutes = '00'] = moment.exec(text) ?? []
  const offsetMs = Number(hours) * 3_600_000 + Math.sign(Number(hours)) * Number(minutes) * 60_000
  const day = new Date(ms === undefined ? Number.NaN : Number(ms) + offsetMs)
  // .NET's first moment stands for none.
  if (!(day.getTime() >= 0)) {
    throw fieldFlaw('Date', 'must be a moment such as /Date(1316156400000-0700)/', text)
  }
  return day.toISOString().slice(0, 10)
}

const methods = {
  day: 'GetRankAndTrafficStats',
  query: 'GetQueryStats',
  page: 'GetPageStats',
} as const

export interface BingPull {
  readonly projectId: string
  /** The site as Bing writes it. */
  readonly site: string
  /** Bing gives all that it has: rows of other days are left out. */
  readonly window: DateRange
  readonly ask: AskBing
  readonly signal: AbortSignal
}

/**
 * Loads the days of a site, and the weeks of its queries and pages, and links the project.
 * @returns the counts, and the first day that a row is of; the last day of the window without rows
 * @throws {Refusal}; the faults of `loadDatedRows`
 */
export async function pullBing(
  stores: ImportStores,
  actor: Actor,
  { projectId, site, window, ask, signal }: BingPull,
): Promise<RowsResult & { readonly first: string }> {
  const found = { first: window.to }
  const result = await loadDatedRows(stores, {
    projectId,
    table: 'search_console',
    signal,
    actor,
    file: 'Bing',
    rows: bingRows(ask, site, window, found),
    begin: () => linkAnalytics(stores.db, actor, projectId, 'bingWebmaster', site),
  })
  return { ...result, ...found }
}

async function* bingRows(
  ask: AskBing,
  site: string,
  { from, to }: DateRange,
  found: { first: string },
): AsyncGenerator<Entry<DatedRow>, void> {
  let number = 0
  for (const kind of ['day', 'query', 'page'] as const) {
    for (const row of await ask(methods[kind], site)) {
      const entry = rowOrReason(number + 1, () => readBingRow(row, kind))
      if ('row' in entry) {
        const { day } = entry.row
        if (day < from || day > to) continue
        const begin = kind === 'day' ? day : weekBegin(day)
        if (begin < found.first) found.first = begin
      }
      number++
      yield entry
    }
  }
}
