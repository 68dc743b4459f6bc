import { rankPoints } from '../../core/method/definitions.ts'

/**
 * What every definition of visibility counts, in one row. `facts` is the WHERE clause of `factsWhere`, and `analysed`
 * selects the current mentions. Mentions of brands that are no longer tracked are left out.
 */
export function countsOfDefinitions(facts: string, analysed: string): string {
  return `
SELECT sum(responses) AS answers, sum(named) AS mentioned, sum(firsts) AS first, sum(scored) AS points,
       sum(citing) AS cited, count() AS prompts, countIf(named > 0) AS promptsMentioned,
       sum(named / responses) AS promptRates, sum(brands) AS allMentioned, sum(own) AS occurrences,
       sum(total) AS allOccurrences
  FROM (
    SELECT prompt_id, sum(a.responses) AS responses, sum(a.named) AS named, sum(a.firsts) AS firsts,
           sum(a.scored) AS scored, sum(a.citing) AS citing, sum(a.brands) AS brands, sum(a.own) AS own,
           sum(a.total) AS total
      FROM (
        SELECT prompt_id, count() AS responses, 0 AS named, 0 AS firsts, 0 AS scored, 0 AS citing, 0 AS brands,
               0 AS own, 0 AS total
          FROM answers WHERE ${facts} GROUP BY prompt_id
         UNION ALL
        SELECT prompt_id, 0, countIf(is_own = 1), countIf(is_own = 1 AND rank = 1),
               sumIf(greatest(0, ${rankPoints} + 1 - toInt64(rank)), is_own = 1), 0, count(),
               sumIf(occurrences, is_own = 1), sum(occurrences)
          FROM mentions WHERE ${facts} AND ${analysed} AND brand_id IN {trackedBrands:Array(UUID)}
         GROUP BY prompt_id
         UNION ALL
        SELECT prompt_id, 0, 0, 0, 0, uniqExact(answer_id), 0, 0, 0
          FROM citations WHERE ${facts} AND domain IN {ownDomains:Array(String)} GROUP BY prompt_id) AS a
     GROUP BY prompt_id)
 WHERE responses > 0`
}
