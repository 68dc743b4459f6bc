import { caseFold, commonestSpelling } from '../shared/spellings/case-fold.sql.ts'

/**
 * Statements over the sub-queries that platforms searched for. `facts` is the WHERE clause of `factsWhere`;
 * every value is bound. The first ranks the sub-queries, the second reads the details of a page.
 */

/**
 * A page of sub-queries that several answers share and that equal no wording, most shared first: those that somebody
 * dismissed, or all others. Each page includes the first row of the list, so an empty page knows the total.
 * Hashes of 64 bits distinguish answers: sets of ids,
 * merged by spelling, take several times as long.
 */
export function suggestionPage(facts: string, isDismissed: boolean): string {
  return `
SELECT *
  FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY responses DESC, compared) AS place
      FROM (
        SELECT ${caseFold('spelling')} AS compared, ${commonestSpelling} AS text,
               uniqExactArray(askedBy) AS responses, groupArray(spelling) AS spellings
          FROM (
            SELECT query AS spelling, count() AS times, groupArray(cityHash64(answer_id)) AS askedBy
              FROM fanout_queries WHERE ${facts} GROUP BY query)
         GROUP BY compared
        HAVING responses >= 2 AND compared != ''
           AND compared NOT IN (SELECT ${caseFold('arrayJoin({wordings:Array(String)})')})
           AND compared ${isDismissed ? 'IN' : 'NOT IN'} (SELECT ${caseFold('arrayJoin({dismissed:Array(String)})')})))
 WHERE place = 1 OR (place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64})
 ORDER BY place`
}

const asked = 'query IN {spellings:Array(String)}'

/** Prompts and platforms of each sub-query with their answers, and the time of the first answer. */
export function suggestionDetails(facts: string): string {
  return `
SELECT compared, sumMap(map(toString(prompt_id), 1)) AS prompts, sumMap(map(platform, 1)) AS platforms,
       toUnixTimestamp64Milli(min(collected_at)) AS firstSeenMs
  FROM (
    SELECT DISTINCT ${caseFold('query')} AS compared, answer_id, prompt_id, platform
      FROM fanout_queries WHERE ${facts} AND ${asked}) AS found
  LEFT ANY JOIN (
    SELECT id AS answer_id, collected_at FROM answers
     WHERE ${facts} AND id IN (SELECT answer_id FROM fanout_queries WHERE ${facts} AND ${asked})) AS collected
  USING (answer_id)
 GROUP BY compared`
}

/** Every current or earlier wording of the project's prompts. */
export const wordings = `
SELECT text FROM "Prompt" WHERE "projectId" = $1::uuid
 UNION
SELECT text FROM "PromptRevision" WHERE "projectId" = $1::uuid`

/** The form in which suggestions are compared. */
export const foldedText = `SELECT ${caseFold('{text:String}')} AS compared`
