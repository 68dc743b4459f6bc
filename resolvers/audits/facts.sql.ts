import { addressesOf, bareHostOf, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { countedCrawls } from '../shared/facts.sql.ts'

/** Statements over facts about pages of the site. Every value is bound; `facts` is the WHERE clause of facts. */

/** Answers that cite each own URL, by platform. `domains` are the own domains. */
export const citingAnswers = (facts: string) => `
SELECT url, platform, count() AS answers
  FROM citations WHERE ${facts} AND domain IN {domains:Array(String)}
 GROUP BY url, platform`

/** Answers by platform. */
export const answersByPlatform = (facts: string) => `
SELECT platform, count() AS answers FROM answers WHERE ${facts} GROUP BY platform`

/** Answers to each prompt that cite a competitor, and answers that cite an own page. */
export const rivalAnswers = (facts: string) => `
SELECT toString(prompt_id) AS promptId,
       uniqExactIf(answer_id, domain IN {competitors:Array(String)}) AS rivals,
       uniqExactIf(answer_id, domain IN {domains:Array(String)}) AS own
  FROM citations
 WHERE ${facts} AND (domain IN {competitors:Array(String)} OR domain IN {domains:Array(String)})
 GROUP BY prompt_id`

/** The path decoded and without its trailing slash: all spellings are one page. */
export const pageKey = `decodeURLComponent(if(trim(TRAILING '/' FROM path) = '', '/', trim(TRAILING '/' FROM path)))`

/** Requests of AI crawlers. */
export const isAi = `${countedCrawls} AND bot_category != 'search_engine'`
const inWindow = 'day BETWEEN {from:Date} AND {to:Date}'

/** Requests of AI crawlers by page, crawler and status, with the time of the newest. */
export const hitsByPage = `
SELECT host, ${pageKey} AS page, bot_name AS crawler, status_code AS status, count() AS hits,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs
  FROM crawler_hits WHERE project_id = {project:UUID} AND ${inWindow} AND ${isAi}
 GROUP BY host, page, crawler, status`

/** Requests of AI crawlers with a known response time by page, and the lower median of these times. */
export const hitTimes = `
SELECT any(h.host) AS host, ${pageKey} AS page, count() AS timed, quantileExactLow(0.5)(response_time_ms) AS medianMs
  FROM crawler_hits AS h
 WHERE project_id = {project:UUID} AND ${inWindow} AND ${isAi} AND response_time_ms > 0
 GROUP BY ${bareHostOf('h.host')}, page`

/** Requests of AI crawlers for the whole site. `oldestMs` is the oldest of all times, 0 without any. */
export const siteHits = `
SELECT countIf(${inWindow} AND ${isAi}) AS total,
       countIf(${inWindow} AND ${isAi} AND status_code BETWEEN 500 AND 599) AS errors,
       toUnixTimestamp64Milli(minIf(timestamp, ${isAi})) AS oldestMs,
       arraySort(groupUniqArrayIf(bot_name, ${inWindow})) AS crawlers
  FROM crawler_hits WHERE project_id = {project:UUID} AND ${countedCrawls}`

/** Imported texts of pages. */
export const importedTexts = `
SELECT ${pageOf('url')} AS page, argMax(content, fetched_at) AS content
  FROM page_contents
 WHERE project_id = {project:UUID} AND url IN ${addressesOf('{urls:Array(String)}')} AND origin = 'import'
 GROUP BY page`
