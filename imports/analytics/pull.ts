import { z } from 'zod'
import { type DateRange, daysOf } from '../../core/window.ts'
import type { ImportStores } from '../answers/answers.ts'
import { rowOrReason } from '../files/cells.ts'
import { loadDatedRows, type ReadRow, type RowsOptions, type RowsResult } from './dated-rows.ts'
import type { AskGoogle } from './google.ts'
import { readApiRow, searchDimensions } from './search-console-row.ts'
import { cellReader } from './web-analytics-row.ts'

/** What may be read of the two services, and nothing be changed. */
export const googleScopes = {
  searchConsole: 'https://www.googleapis.com/auth/webmasters.readonly',
  webAnalytics: 'https://www.googleapis.com/auth/analytics.readonly',
} as const

export interface PullOptions extends RowsOptions {
  readonly ask: AskGoogle
  readonly window: DateRange
  /** The site, or the number of the property. */
  readonly name: string
}

const pageRows = 25_000

/**
 * Loads what the search console has of the days. It is asked day by day, since an answer holds only so many rows.
 * @throws {GoogleRefusal}; else as `loadDatedRows` does
 */
export function pullSearchConsole(
  stores: ImportStores,
  { ask, window, name, ...options }: PullOptions,
): Promise<RowsResult> {
  const rows = searchRows(ask, window, name)
  return loadDatedRows(stores, { ...options, table: 'search_console', rows })
}

const searchAnswer = z.object({ rows: z.array(z.unknown()).optional() })

async function* searchRows(
  ask: AskGoogle,
  window: DateRange,
  site: string,
): AsyncGenerator<ReadRow, void> {
  const place = `https://searchconsole.googleapis.com/webmasters/v3/sites/${encodeURIComponent(site)}/searchAnalytics/query`
  let number = 0
  for (const day of daysOf(window)) {
    for (let startRow = 0, isMore = true; isMore; startRow += pageRows) {
      const { rows = [] } = searchAnswer.parse(
        await ask(place, {
          startDate: day,
          endDate: day,
          dimensions: searchDimensions,
          type: 'web',
          rowLimit: pageRows,
          startRow,
        }),
      )
      for (const row of rows) yield rowOrReason(++number, () => readApiRow(row, searchDimensions))
      isMore = rows.length === pageRows
    }
  }
}

const dimensions = ['date', 'hostName', 'landingPage', 'sessionSource', 'sessionMedium']
const metrics = ['sessions', 'totalUsers', 'bounceRate', 'averageSessionDuration', 'keyEvents']
const named = (names: readonly string[]) => names.map((name) => ({ name }))

/**
 * Loads what web analytics has of the days.
 * @throws {GoogleRefusal}; else as `loadDatedRows` does
 */
export function pullWebAnalytics(
  stores: ImportStores,
  { ask, window, name, ...options }: PullOptions,
): Promise<RowsResult> {
  const rows = sessionRows(ask, window, name)
  return loadDatedRows(stores, { ...options, table: 'web_analytics', rows })
}

const cells = z.array(z.object({ value: z.string() }))
const sessionAnswer = z.object({
  rows: z.array(z.object({ dimensionValues: cells, metricValues: cells })).optional(),
  rowCount: z.number().optional(),
})

async function* sessionRows(
  ask: AskGoogle,
  { from, to }: DateRange,
  property: string,
): AsyncGenerator<ReadRow, void> {
  const place = `https://analyticsdata.googleapis.com/v1beta/properties/${property}:runReport`
  const read = cellReader(dimensions, metrics)
  let number = 0
  for (let offset = 0, isMore = true; isMore; offset += pageRows) {
    const { rows = [], rowCount = 0 } = sessionAnswer.parse(
      await ask(place, {
        dateRanges: [{ startDate: from, endDate: to }],
        dimensions: named(dimensions),
        metrics: named(metrics),
        limit: String(pageRows),
        offset: String(offset),
        // Pages of one answer need an order.
        orderBys: dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
      }),
    )
    for (const { dimensionValues, metricValues } of rows) {
      const values = [...dimensionValues, ...metricValues].map(({ value }) => value)
      yield rowOrReason(++number, () => read(values))
    }
    isMore = rows.length > 0 && offset + pageRows < rowCount
  }
}
