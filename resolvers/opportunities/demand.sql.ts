import { dailyRows } from '../shared/facts.sql.ts'
import { caseFold, commonestSpelling } from '../shared/spellings/case-fold.sql.ts'
import { ownMentions } from './answers.sql.ts'

/** Statements of the rules over what people and AI assistants search for. Every value is bound. */

const isNoWording = `compared != ''
           AND compared NOT IN (SELECT ${caseFold('arrayJoin({wordings:Array(String)})')})`

/** Sub-queries that are no wording of a prompt, with the answers that searched for each. */
export function unknownQueries(facts: string): string {
  return `
SELECT compared, ${commonestSpelling} AS text, uniqExactArray(askedBy) AS responses
  FROM (
    SELECT ${caseFold('query')} AS compared, query AS spelling, count() AS times,
           groupArray(cityHash64(answer_id)) AS askedBy
      FROM fanout_queries WHERE ${facts} GROUP BY query)
 GROUP BY compared
HAVING ${isNoWording}
 ORDER BY responses DESC, compared
 LIMIT {most:UInt32}`
}

/**
 * The answers behind groups of sub-queries, each counted once, with those that mention the brand and those that cite an
 * own page. `{texts:Array(String)}` are folded sub-queries, `{groups:Array(UInt32)}` the number of the group of each.
 */
export function queryGroups(facts: string): string {
  const mentioning = `answer_id IN (SELECT answer_id FROM ${ownMentions(facts)})`
  const citing = `answer_id IN (
         SELECT answer_id FROM citations WHERE ${facts} AND domain IN {ownDomains:Array(String)})`
  return `
SELECT toUInt32(number) AS number, count() AS responses, countIf(${mentioning}) AS named,
       countIf(${citing}) AS citing
  FROM (
    SELECT DISTINCT transform(compared, {texts:Array(String)}, {groups:Array(UInt32)}, 0) AS number, answer_id
      FROM (SELECT ${caseFold('query')} AS compared, answer_id FROM fanout_queries WHERE ${facts})
     WHERE compared IN {texts:Array(String)})
 GROUP BY number
 ORDER BY number`
}

/** Queries of Google's search console with many impressions at a good position that are no wording of a prompt. */
export const unknownSearches = `
SELECT compared, argMax(spelling, (seen, spelling)) AS text, sum(seen) AS impressions,
       sum(clicked) AS clicks, round(sum(places) / impressions, 2) AS position
  FROM (
    SELECT ${caseFold('query')} AS compared, query AS spelling, sum(s.impressions) AS seen,
           sum(s.clicks) AS clicked, sum(s.position * s.impressions) AS places
      FROM search_console AS s FINAL
     WHERE project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date} AND query != ''
       AND engine = 'google' AND ${dailyRows}
     GROUP BY query)
 GROUP BY compared
HAVING impressions >= {leastImpressions:UInt32}
   AND round(sum(places) * 1000) <= 1000 * {worstPosition:UInt32} * impressions AND ${isNoWording}
 ORDER BY impressions DESC, compared
 LIMIT {most:UInt32}`
