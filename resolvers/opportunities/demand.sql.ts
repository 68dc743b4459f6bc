import { dailySearches } from '../shared/facts.sql.ts'
import { caseFold, commonestSpelling } from '../shared/spellings/case-fold.sql.ts'

/** Statements of the rules over what people and AI assistants search for. Every value is bound. */

const isNoWording = `compared != ''
           AND compared NOT IN (SELECT ${caseFold('arrayJoin({wordings:Array(String)})')})`

/** Sub-queries of enough answers that are no wording of a prompt, and how many of these answers cite an own page. */
export function unknownQueries(facts: string): string {
  const citing = `answer_id IN (
               SELECT answer_id FROM citations WHERE ${facts} AND domain IN {ownDomains:Array(String)})`
  return `
SELECT compared, ${commonestSpelling} AS text, uniqExactArray(askedBy) AS responses,
       uniqExactArray(citedBy) AS citing
  FROM (
    SELECT ${caseFold('query')} AS compared, query AS spelling, count() AS times,
           groupArray(cityHash64(answer_id)) AS askedBy,
           groupArrayIf(cityHash64(answer_id), ${citing}) AS citedBy
      FROM fanout_queries WHERE ${facts} GROUP BY query)
 GROUP BY compared
HAVING responses >= {leastAnswers:UInt32} AND ${isNoWording}
 ORDER BY responses DESC, compared
 LIMIT {most:UInt32}`
}

/** Queries of a search console with many impressions at a good position that are no wording of a prompt. */
export const unknownSearches = `
SELECT compared, argMax(spelling, (seen, spelling)) AS text, sum(seen) AS impressions,
       sum(clicked) AS clicks, round(sum(places) / impressions, 2) AS position
  FROM (
    SELECT ${caseFold('query')} AS compared, query AS spelling, sum(s.impressions) AS seen,
           sum(s.clicks) AS clicked, sum(s.position * s.impressions) AS places
      FROM search_console AS s FINAL
     WHERE project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date} AND query != ''
       AND ${dailySearches}
     GROUP BY query)
 GROUP BY compared
HAVING impressions >= {leastImpressions:UInt32}
   AND round(sum(places) * 1000) <= 1000 * {worstPosition:UInt32} * impressions AND ${isNoWording}
 ORDER BY impressions DESC, compared
 LIMIT {most:UInt32}`
