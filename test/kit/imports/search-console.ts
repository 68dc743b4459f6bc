import { importSearchConsole } from '../../../imports/analytics/search-console.ts'
import type { ImportStores } from '../../../imports/loads/runner.ts'
import { commandLine } from '../../../resolvers/shared/audit-trail.ts'
import { bytesOf } from './web-analytics.ts'

/** One row, with what most tests do not care about filled in. */
export interface TestSearch {
  readonly date?: string
  readonly query?: string
  readonly page?: string
  readonly country?: string
  readonly device?: 'DESKTOP' | 'MOBILE' | 'TABLET'
  readonly clicks?: number
  readonly impressions?: number
  readonly position?: number
}

/** A row of the Search Analytics API that was asked by all five dimensions. */
function searchRow(row: TestSearch) {
  const { date = '2025-05-10', query = 'anvil', page = 'https://acme.com/a' } = row
  const { country = 'usa', device = 'MOBILE', clicks = 1, impressions = 10, position = 1 } = row
  const keys = [date, query, page, country, device]
  return { keys, clicks, impressions, ctr: clicks / impressions, position }
}

/** An answer of the Search Analytics API that was asked by all five dimensions. */
export function searchAnswer(rows: readonly TestSearch[]) {
  return { rows: rows.map(searchRow), responseAggregationType: 'byPage' }
}

/** Imports a file that is given as its text, and links the project. */
export function importSearch(
  stores: ImportStores,
  projectId: string,
  text: string | Buffer,
  options: { site?: string; dimensions?: string[] } = {},
) {
  return importSearchConsole(stores, commandLine, { projectId, bytes: bytesOf(text), ...options })
}
