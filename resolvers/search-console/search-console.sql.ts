import { dailyRows } from '../shared/facts.sql.ts'

/** Statements over rows of one search console, for any number of projects. Every value is bound. */

const ofEngine = `
  FROM search_console AS s FINAL
 WHERE project_id IN {projects:Array(UUID)} AND engine = {engine:String}`

const inWindow = `${ofEngine} AND day BETWEEN {from:Date} AND {to:Date}`

const from = `${inWindow} AND ${dailyRows}`

/** Whole weeks of Bing, in the window that they end in. */
const fromWeeks = `${inWindow} AND shape = 'totals of a week'`

/** The same, and totals of exactly this window. Its last day holds them. */
const fromWithTotals = `${inWindow}
   AND (${dailyRows} OR (day = {to:Date} AND part = concat('from ', toString({from:Date}))))`

/** Thousandths keep the numerator a whole number. `ranked` are the impressions whose position is known: Bing's days have none. */
const counts = `sum(s.clicks) AS clicks, sum(s.impressions) AS impressions,
       sumIf(s.impressions, s.position > 0) AS ranked,
       toUInt64(round(sum(s.position * s.impressions) * 1000)) AS placesThousandths`

const mostFirst = 'ORDER BY clicks DESC, impressions DESC'

export const searchByDay = `
SELECT toString(project_id) AS projectId, toString(day) AS date, ${counts}
  ${from}
 GROUP BY project_id, day`

/** The keys that rows are listed by. A value unknown to the report is empty, and gets no row. */
export type SearchKey = 'query' | 'page' | 'country' | 'device'

/** The engines whose search consoles are read. The numbers of one are never added to those of another. */
export type SearchEngine = 'google' | 'bing'

export interface SearchBy {
  readonly engine: SearchEngine
  /** Only rows in `names`. */
  readonly isNamed?: boolean
}

/**
 * All rows by a key. Of Google, totals of the window count where a project has no rows by day, and never beside them. Of
 * Bing, weeks count in the window that they end in.
 */
export function searchBy(key: SearchKey, { engine, isNamed = false }: SearchBy): string {
  const named = isNamed ? 'AND name IN {names:Array(String)}' : ''
  if (engine === 'bing') {
    return `
SELECT toString(project_id) AS projectId, ${key} AS name, ${counts}
  ${fromWeeks} AND ${key} != '' ${named}
 GROUP BY project_id, ${key}
 ${mostFirst}, name`
  }
  return `
SELECT projectId, name, clicks, impressions, ranked, placesThousandths
  FROM (SELECT *, min(isTotal) OVER (PARTITION BY projectId) AS areTotals
          FROM (SELECT toString(project_id) AS projectId, ${key} AS name, NOT (${dailyRows}) AS isTotal, ${counts}
                  ${fromWithTotals} AND ${key} != ''
                 GROUP BY project_id, ${key}, isTotal))
 WHERE isTotal = areTotals ${named}
 ${mostFirst}, name`
}

/** The windows that have totals by a key, the newest first. */
export function periodsOf(key: SearchKey): string {
  return `
SELECT DISTINCT toString(project_id) AS projectId, substring(part, 6) AS first, toString(day) AS last
  ${ofEngine} AND NOT (${dailyRows}) AND ${key} != ''
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
export function searchPage(key: SearchKey, engine: SearchEngine): string {
  return `
SELECT *, count() OVER (PARTITION BY projectId) AS total
  FROM (${searchBy(key, { engine })})
 ${mostFirst}, name
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY projectId`
}

/** Queries by the bucket of their average position. */
export const searchBuckets = (engine: SearchEngine) => `
SELECT projectId, count() AS queries, sum(q.clicks) AS clicks, sum(q.impressions) AS impressions,
       multiIf(placesThousandths <= 3000 * q.ranked, 0, placesThousandths <= 10000 * q.ranked, 1,
               placesThousandths <= 20000 * q.ranked, 2, 3) AS bucket
  FROM (${searchBy('query', { engine })}) AS q
 WHERE q.ranked > 0
 GROUP BY projectId, bucket`
