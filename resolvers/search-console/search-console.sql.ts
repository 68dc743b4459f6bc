import { dailyRows } from '../shared/facts.sql.ts'

/** Statements over Search Console rows, for any number of projects. Every value is bound. */

const from = `
  FROM search_console AS s FINAL
 WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND ${dailyRows}`

/** The same, and totals of exactly this window. Its last day holds them. */
const fromWithTotals = `
  FROM search_console AS s FINAL
 WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date}
   AND (${dailyRows} OR (day = {to:Date} AND part = concat('from ', toString({from:Date}))))`

/** Thousandths keep the numerator a whole number. */
const counts = `sum(s.clicks) AS clicks, sum(s.impressions) AS impressions,
       toUInt64(round(sum(s.position * s.impressions) * 1000)) AS placesThousandths`

const mostFirst = 'ORDER BY clicks DESC, impressions DESC'

export const searchByDay = `
SELECT toString(project_id) AS projectId, toString(day) AS date, ${counts}
  ${from}
 GROUP BY project_id, day`

/** The keys that rows are listed by. A value unknown to the report is empty, and gets no row. */
export type SearchKey = 'query' | 'page' | 'country' | 'device'

/**
 * All rows by a key. Totals of the window count where a project has no rows by day, and never beside them.
 * @param isNamed only rows in `names`
 */
export function searchBy(key: SearchKey, isNamed = false): string {
  return `
SELECT projectId, name, clicks, impressions, placesThousandths
  FROM (SELECT *, min(isTotal) OVER (PARTITION BY projectId) AS areTotals
          FROM (SELECT toString(project_id) AS projectId, ${key} AS name, NOT (${dailyRows}) AS isTotal, ${counts}
                  ${fromWithTotals} AND ${key} != ''
                 GROUP BY project_id, ${key}, isTotal))
 WHERE isTotal = areTotals ${isNamed ? 'AND name IN {names:Array(String)}' : ''}
 ${mostFirst}, name`
}

/** The windows that have totals by a key, the newest first. */
export function periodsOf(key: SearchKey): string {
  return `
SELECT DISTINCT toString(project_id) AS projectId, substring(part, 6) AS first, toString(day) AS last
  FROM search_console FINAL
 WHERE project_id IN {projects:Array(UUID)} AND NOT (${dailyRows}) AND ${key} != ''
 ORDER BY last DESC, first DESC`
}

/** A page of the pages that search results showed for each query. */
export const pagesOfQueries = `
SELECT *, count() OVER (PARTITION BY projectId, asked) AS total
  FROM (SELECT toString(project_id) AS projectId, query AS asked, page AS name, ${counts}
          ${from} AND query IN {queries:Array(String)} AND page != ''
         GROUP BY project_id, query, page)
 ${mostFirst}, name
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY projectId, asked`

/** A page of rows by a key, and the project's total. */
export function searchPage(key: SearchKey): string {
  return `
SELECT *, count() OVER (PARTITION BY projectId) AS total
  FROM (${searchBy(key)})
 ${mostFirst}, name
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY projectId`
}

/** Queries by the bucket of their average position. */
export const searchBuckets = `
SELECT projectId, count() AS queries, sum(q.clicks) AS clicks, sum(q.impressions) AS impressions,
       multiIf(placesThousandths <= 3000 * q.impressions, 0, placesThousandths <= 10000 * q.impressions, 1,
               placesThousandths <= 20000 * q.impressions, 2, 3) AS bucket
  FROM (${searchBy('query')}) AS q
 WHERE q.impressions > 0
 GROUP BY projectId, bucket`
