/** Statements over Search Console rows, for any number of projects. Every value is bound. */

const from = `
  FROM search_console AS s FINAL
 WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date}`

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

/** All rows by a key. */
export function searchBy(key: SearchKey): string {
  return `
SELECT toString(project_id) AS projectId, ${key} AS name, ${counts}
  ${from} AND ${key} != ''
 GROUP BY project_id, ${key}
 ${mostFirst}, name`
}

/** A page of the pages that search results showed for each query. */
export const pagesOfQueries = `
SELECT toString(project_id) AS projectId, query AS asked, page AS name, ${counts}
  ${from} AND query IN {queries:Array(String)} AND page != ''
 GROUP BY project_id, query, page
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
