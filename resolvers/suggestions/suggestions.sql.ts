import { caseFold, commonestSpelling } from '../shared/case-fold.sql.ts'

/**
 * Statements over the sub-queries that platforms searched for. `facts` is the WHERE clause of `factsWhere`;
 * every value is bound. One ranks them, the other tells more of those on a page.
 */

/**
 * A page of the sub-queries that several answers share and that no wording equals, most shared first, and the
 * first of all, so that totals are known on an empty page too. Answers are told apart by 64-bit hashes: sets
 * of their ids, merged spelling by spelling, take several times as long.
 */
export function suggestionPage(facts: string): string {
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
           AND compared NOT IN (SELECT ${caseFold('arrayJoin({wordings:Array(String)})')})))
 WHERE place = 1 OR (place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64})
 ORDER BY place`
}

const asked = 'query IN {spellings:Array(String)}'

/** Which prompts and platforms each sub-query came from, in how many answers, and when the first was collected. */
export function suggestionDetails(facts: string): string {
  return `
SELECT compared, sumMap(map(toString(prompt_id), 1)) AS prompts, sumMap(map(platform, 1)) AS platforms,
       toUnixTimestamp64Milli(min(collected_at)) AS firstSeenMs
  FROM (
    SELECT DISTINCT ${caseFold('query')} AS compared, answer_id, prompt_id, platform
      FROM fanout_queries WHERE ${facts} AND ${asked}) AS found
  LEFT ANY JOIN (
    SELECT id AS answer_id, collected_at FROM answers
     WHERE ${facts} AND id IN (SELECT answer_id FROM fanout_queries WHERE ${facts} AND ${asked})) AS told
  USING (answer_id)
 GROUP BY compared`
}

/** Every wording that a prompt of the project has or had. */
export const wordings = `
SELECT text FROM "Prompt" WHERE "projectId" = $1::uuid
 UNION
SELECT text FROM "PromptRevision" WHERE "projectId" = $1::uuid`
