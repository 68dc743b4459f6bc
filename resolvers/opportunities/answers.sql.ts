import { mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { ratedMentions } from '../shared/judged.sql.ts'

/**
 * Statements of the rules over answers and mentions. `facts` is the WHERE clause of `factsWhere`; every value is
 * bound.
 */

const current = 'day >= {currentFrom:Date}'
/**
 * The mentions of the own brand, as the end of a `FROM`.
 * @param isJudged whether their sentiments are read, and a judge of the project rated them
 */
export const ownMentions = (facts: string, isJudged = false) =>
  `${ratedMentions(facts, isJudged)} AND analysis = {analysis:UInt32} AND is_own = 1`

/** The answers of the window. */
export const answersInAll = (facts: string) => `
SELECT count() AS answers FROM answers WHERE ${facts}`

/** Prompts with enough answers that name a competitor more often than the brand, with the own page cited most. */
export function rivalPrompts(facts: string): string {
  return `
SELECT toString(prompt_id) AS promptId, responses, named, rivals, page
  FROM (
    SELECT prompt_id, count() AS responses FROM answers WHERE ${facts}
     GROUP BY prompt_id HAVING responses >= {leastAnswers:UInt32}) AS answered
 INNER JOIN (
    SELECT prompt_id, sumIf(times, isOwn) AS named,
           sumMapIf(map(toString(brand_id), times), NOT isOwn) AS rivals
      FROM (
        SELECT prompt_id, brand_id, is_own = 1 AS isOwn, count() AS times
          FROM mentions
         WHERE ${facts} AND analysis = {analysis:UInt32}
           AND (is_own = 1 OR brand_id IN {competitors:Array(UUID)})
         GROUP BY prompt_id, brand_id, isOwn)
     GROUP BY prompt_id) AS mentioned USING (prompt_id)
  LEFT JOIN (
    SELECT prompt_id, argMax(url, (times, url)) AS page
      FROM (
        SELECT prompt_id, ${mostCited('address', 'timesAt')} AS url, sum(timesAt) AS times
          FROM (
            SELECT prompt_id, url AS address, count() AS timesAt
              FROM citations WHERE ${facts} AND domain IN {ownDomains:Array(String)}
             GROUP BY prompt_id, address)
         GROUP BY prompt_id, ${pageOf('address')})
     GROUP BY prompt_id) AS cited USING (prompt_id)
 WHERE arrayMax(mapValues(rivals)) > named`
}

/** Answers, and answers that name the brand, by prompt, in the window and in the window before. */
export function promptsInBothWindows(facts: string): string {
  return `
SELECT toString(prompt_id) AS promptId, sumIf(answered, isCurrent) AS responses,
       sumIf(naming, isCurrent) AS named, sumIf(answered, NOT isCurrent) AS responsesBefore,
       sumIf(naming, NOT isCurrent) AS namedBefore
  FROM (
    SELECT prompt_id, ${current} AS isCurrent, count() AS answered, 0 AS naming
      FROM answers WHERE ${facts} GROUP BY prompt_id, isCurrent
     UNION ALL
    SELECT prompt_id, ${current} AS isCurrent, 0, count()
      FROM ${ownMentions(facts)} GROUP BY prompt_id, isCurrent)
 GROUP BY prompt_id`
}

/** Answers, and answers that name the brand, by platform. */
export function platformCounts(facts: string): string {
  return `
SELECT toString(key) AS platform, sum(answered) AS responses, sum(naming) AS named
  FROM (
    SELECT platform AS key, count() AS answered, 0 AS naming
      FROM answers WHERE ${facts} GROUP BY key
     UNION ALL
    SELECT platform AS key, 0, count() FROM ${ownMentions(facts)} GROUP BY key)
 GROUP BY key
 ORDER BY key`
}

/** Rated and negative answers by prompt. */
export const negativePrompts =
  (isJudged: boolean) =>
  (facts: string): string => {
    return `
SELECT toString(prompt_id) AS promptId, count() AS rated,
       countIf(sentiment <= -{tone:Float64}) AS negative
  FROM ${ownMentions(facts, isJudged)} AND sentiment IS NOT NULL
 GROUP BY prompt_id`
  }
