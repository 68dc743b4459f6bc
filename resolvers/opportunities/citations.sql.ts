import { bareHostOf, mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { countedCrawls } from '../shared/facts.sql.ts'

/**
 * Statements of the rules over citations and crawls. `facts` is the WHERE clause of `factsWhere`; every value is
 * bound.
 */

const isOwn = 'domain IN {ownDomains:Array(String)}'
const current = 'day >= {currentFrom:Date}'

/** Domains that answers cite without naming the brand, while half of them or more name a competitor. */
export function rivalDomains(facts: string): string {
  const naming = (brand: string) => `answer_id IN (
             SELECT answer_id FROM mentions
              WHERE ${facts} AND analysis = {analysis:UInt32} AND ${brand})`
  return `
SELECT toString(domain) AS domain, count() AS responses,
       countIf(${naming('brand_id IN {competitors:Array(UUID)}')}) AS rival,
       sumMap(map(toString(prompt_id), 1)) AS prompts
  FROM citations
 WHERE ${facts} AND first_of_domain = 1
   AND domain NOT IN {ownDomains:Array(String)} AND domain NOT IN {competitorDomains:Array(String)}
 GROUP BY domain
HAVING responses >= {leastAnswers:UInt32} AND 2 * rival >= responses
   AND countIf(${naming('is_own = 1')}) = 0
 ORDER BY responses DESC, domain
 LIMIT {most:UInt32}`
}

/** Answers that cite each own page, in the window and in the window before, with the answers of the site. */
export function ownUrls(facts: string): string {
  const ofSite = (isOne: string) =>
    `(SELECT uniqExactIf(answer_id, ${isOne}) FROM citations WHERE ${facts} AND ${isOwn})`
  const answers = (isOne: string) => `(SELECT countIf(${isOne}) FROM answers WHERE ${facts})`
  return `
SELECT ${mostCited('address', 'times + timesBefore')} AS url, sum(times) AS responses, sum(timesBefore) AS responsesBefore,
       ${ofSite(current)} AS siteResponses,
       ${answers(current)} AS allResponses, ${answers(`NOT ${current}`)} AS allResponsesBefore
  FROM (
    SELECT url AS address, countIf(${current}) AS times, countIf(NOT ${current}) AS timesBefore
      FROM citations
     WHERE ${facts} AND ${isOwn}
     GROUP BY address)
 GROUP BY ${pageOf('address')}
 ORDER BY greatest(responses, responsesBefore) DESC, url
 LIMIT {most:UInt32}`
}

const pathKey = (path: string) =>
  `decodeURLComponent(if(trim(TRAILING '/' FROM ${path}) = '', '/', trim(TRAILING '/' FROM ${path})))`

/**
 * Pages that crawlers of answers got, and that no answer cites. `facts` covers the window of the citations, and
 * `{crawledFrom:Date}` to `{to:Date}` is that of the crawls. No row when no answer of that window cites an own page.
 */
export function uncitedCrawls(facts: string): string {
  return `
SELECT ${bareHostOf('toString(h.host)')} AS host, ${pathKey('path')} AS page, count() AS hits,
       sumMap(map(toString(bot_name), 1)) AS bots
  FROM crawler_hits AS h
 WHERE project_id = {project:UUID} AND day BETWEEN {crawledFrom:Date} AND {to:Date}
   AND ${countedCrawls} AND bot_category IN ('ai_search', 'ai_assistant') AND status_code = 200
   AND (host, page) NOT IN (
     SELECT ${bareHostOf('lower(domain(url))')}, ${pathKey('path(url)')} FROM citations WHERE ${facts} AND ${isOwn})
   AND (SELECT count() FROM citations WHERE ${facts} AND ${isOwn} AND day >= {crawledFrom:Date}) > 0
 GROUP BY host, page
HAVING hits >= {leastHits:UInt32}
 ORDER BY hits DESC, host, page
 LIMIT {most:UInt32}`
}
