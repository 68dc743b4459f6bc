import type { HitProof } from '../../core/bots/crawler-ranges.ts'
import { bucketDay } from '../shared/buckets.sql.ts'
import { countedCrawls } from '../shared/facts.sql.ts'
import { pathKey } from '../shared/spellings/paths.sql.ts'

/**
 * Statements over crawls, for any number of projects. A crawl is an event of a known crawler. `crawls` is the WHERE
 * clause of `crawlsWhere`, and `project` the project of a row, by `projectOf`; every value is bound.
 */

/** Filters on crawls; null for no filter. */
export interface CrawlFilters {
  /** Null for all that reports count: all but impostors. */
  readonly verification: readonly HitProof[] | null
  readonly hosts: readonly string[] | null
  readonly botName: string | null
  readonly botCategory: readonly string[] | null
  readonly path: string | null
}

/** What a hit proves: a signed one is stored as verified. */
const hitProof = "if(signed_by = '', toString(crawler_hits.verification), 'signed')"

const filterClauses = {
  verification: `${hitProof} IN {verification:Array(String)}`,
  hosts: 'host IN {hosts:Array(String)}',
  botName: 'lower(bot_name) = lower({botName:String})',
  botCategory: 'bot_category IN {botCategory:Array(String)}',
  path: `${pathKey('path')} = ${pathKey('{path:String}')}`,
} as const satisfies Record<keyof CrawlFilters, string>

/** The WHERE clause of crawls. Its values are `projects`, `from`, `to`, and the filters that are not null. */
export function crawlsWhere(filters: CrawlFilters): string {
  const given = Object.entries(filterClauses).filter(
    ([name]) => filters[name as keyof CrawlFilters] !== null,
  )
  return [
    'project_id IN {projects:Array(UUID)}',
    'day BETWEEN {from:Date} AND {to:Date}',
    ...(filters.verification === null ? [countedCrawls] : []),
    ...given.map(([, clause]) => clause),
  ].join(' AND ')
}

const countedBy = {
  platform: ['platform'],
  botCategory: ['platform', 'bot_category'],
  botName: ['platform', 'bot_category', 'bot_id', 'bot_name', 'bot_vendor'],
  path: [pathKey('path')],
  day: [bucketDay.day],
  week: [bucketDay.week],
  month: [bucketDay.month],
  platformDay: ['platform', bucketDay.day],
  platformWeek: ['platform', bucketDay.week],
  platformMonth: ['platform', bucketDay.month],
  status: ['status_code'],
} as const

/** The keys that crawls are counted by. Each of the first three refines the one before it. */
export type CrawlKey = keyof typeof countedBy

/** The pages that an overview shows. */
const mostPages = (project: string) => `ORDER BY visits DESC, key LIMIT 10 BY ${project}`

/**
 * Crawls by one or several keys. `key` holds the values of the key's columns as texts, in order. One scan per key is
 * faster than grouping sets, which carry the columns of all keys through each set.
 */
export function crawlCounts(keys: readonly CrawlKey[], crawls: string, project: string): string {
  const scans = keys.map((key) => {
    const columns = countedBy[key]
    const last = key === 'botName' ? 'toUnixTimestamp64Milli(max(timestamp))' : '0'
    return `
SELECT toString(${project}) AS projectId, '${key}' AS countedBy,
       [${columns.map((column) => `toString(${column})`).join(', ')}] AS key,
       count() AS visits, ${last} AS lastMs
  FROM crawler_hits WHERE ${crawls}
 GROUP BY ${[project, ...columns].join(', ')}
 ${key === 'path' ? mostPages(project) : ''}`
  })
  return scans.map((scan) => `SELECT * FROM (${scan})`).join('\n UNION ALL\n')
}

/** One extra row shows whether more rows follow. */
const page = 'LIMIT {limit:UInt64} + 1 OFFSET {offset:UInt64}'

/**
 * A page of crawlers by id, each with its latest name: the crawler registry may rename a crawler. The engine has visits by
 * name as sums. Only pages and first visits are counted from the rows.
 */
export function botPage(crawls: string, project: string): string {
  return `
SELECT toString(owner) AS projectId, bot_id AS botId, argMax(bot_name, last) AS botName,
       argMax(bot_vendor, last) AS botVendor, argMax(bot_category, last) AS botCategory,
       argMax(platform, last) AS platformId, sum(crawled) AS visits, any(pages) AS paths,
       toUnixTimestamp64Milli(any(first)) AS firstMs, toUnixTimestamp64Milli(max(last)) AS lastMs,
       count() OVER (PARTITION BY owner) AS total
  FROM (
    SELECT ${project} AS owner, bot_id, bot_name, bot_vendor, bot_category, platform, count() AS crawled,
           max(timestamp) AS last
      FROM crawler_hits WHERE ${crawls}
     GROUP BY ${project}, bot_id, bot_name, bot_vendor, bot_category, platform) AS named
 INNER JOIN (
    SELECT ${project} AS owner, bot_id, uniqExact(cityHash64(${pathKey('path')})) AS pages, min(timestamp) AS first
      FROM crawler_hits WHERE ${crawls} GROUP BY ${project}, bot_id) AS seen USING (owner, bot_id)
 GROUP BY owner, bot_id
 ORDER BY visits DESC, botName, botId
 ${page} BY owner`
}

/** A page of platforms or of categories, of one project. */
export function groupPage(by: 'platform' | 'botCategory', crawls: string): string {
  const column = by === 'platform' ? 'platform' : 'bot_category'
  return `
SELECT ${column} AS ${by}, count() AS visits
  FROM crawler_hits WHERE ${crawls}
 GROUP BY ${by}
 ORDER BY visits DESC, ${by}
 ${page}`
}

/** Follows the order key of the table: several times as fast as ordering by time only. */
const newestFirst = 'project_id DESC, day DESC, timestamp DESC'

/**
 * A page of crawls, newest first. All shown columns break ties, so pages neither repeat nor skip a row. The inner
 * query selects by the keys of the table: long columns are read for the page only.
 */
export function crawlPage(crawls: string): string {
  return `
SELECT toString(project_id) AS projectId, toUnixTimestamp64Milli(timestamp) AS atMs, method, host, path,
       status_code AS statusCode, toUInt32(floor(response_time_ms + 0.5)) AS responseTimeMs, bot_name AS botName,
       bot_vendor AS botVendor, bot_category AS botCategory, country, referrer_domain AS referrerDomain,
       ${hitProof} AS proof
  FROM crawler_hits
 WHERE ${crawls} AND (project_id, day, timestamp) IN (
   SELECT project_id, day, timestamp FROM crawler_hits WHERE ${crawls}
    ORDER BY ${newestFirst}
    LIMIT {offset:UInt64} + {limit:UInt64} + 1 BY project_id)
 ORDER BY ${newestFirst}, host, path, botName, method, statusCode, responseTimeMs, country,
       referrerDomain, botVendor, botCategory, proof
 ${page} BY project_id`
}

/** Crawls by day, the newest day first. */
export function crawlDays(crawls: string, project: string): string {
  return `
SELECT toString(${project}) AS projectId, toString(day) AS date, count() AS crawls
  FROM crawler_hits WHERE ${crawls} GROUP BY ${project}, day
 ORDER BY day DESC`
}

/** The time of the latest event of each project, of any name. */
export const newestEvents = `
SELECT toString(project_id) AS projectId, toUnixTimestamp64Milli(max(timestamp)) AS lastMs
  FROM crawler_hits WHERE project_id IN {projects:Array(UUID)} GROUP BY project_id`
