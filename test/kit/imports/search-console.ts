import { importSearchConsole } from '../../../imports/analytics/search-console.ts'
import type { ImportStores } from '../../../imports/loads/runner.ts'
import { commandLine } from '../../../resolvers/shared/audit-trail.ts'
import { bytesOf } from './web-analytics.ts'

/** Date, query, page, country, device, clicks, impressions, position. */
export type TestSearch = readonly [string, string, string, string, string, number, number, number]

/** An answer of the Search Analytics API that was asked by all five dimensions. */
export function searchAnswer(rows: readonly TestSearch[]) {
  return {
    rows: rows.map(([date, query, page, country, device, clicks, impressions, position]) => ({
      keys: [date, query, page, country, device],
      clicks,
      impressions,
      ctr: clicks / impressions,
      position,
    })),
    responseAggregationType: 'byPage',
  }
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
