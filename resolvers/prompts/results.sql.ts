import { type ManyFacts, projectOf } from '../shared/slices.sql.ts'

interface Options {
  readonly isOne: boolean
  /** Whether only the answers to some prompts are read. */
  readonly ofPrompts: boolean
  /** Whether an earlier window is read too. */
  readonly isCompared: boolean
}

/**
 * What is counted of each prompt with an answer. `{rivals}` are the competitors that the own brand is compared with,
 * sorted by name. The prompts of the list are no part of the statement: thousands of ids in it take longer than all else.
 */
export function promptCounts(
  { analysed }: Pick<ManyFacts, 'analysed'>,
  where: string,
  { isOne, ofPrompts, isCompared }: Options,
): string {
  const now = isCompared ? 'day BETWEEN {currentFrom:Date} AND {currentTo:Date}' : 'true'
  const before = isCompared ? `NOT (${now})` : 'false'
  const chosen = ofPrompts ? `${where} AND prompt_id IN {prompts:Array(UUID)}` : where
  const within = isCompared
    ? `${chosen} AND (${now} OR day BETWEEN {comparedFrom:Date} AND {comparedTo:Date})`
    : chosen
  const mentions = `mentions WHERE ${within} AND ${analysed}`
  const rivals = '{rivals:Array(UUID)}'
  return `
SELECT toString(project) AS projectId, toString(prompt_id) AS promptId, answers, answersBefore, lastAnsweredMs,
       named, namedBefore, ownRanks, if(rivalNamed = 0, NULL, toString(rival)) AS rivalId, rivalNamed, lost
  FROM (
    SELECT ${projectOf(isOne)} AS project, prompt_id, countIf(${now}) AS answers, countIf(${before}) AS answersBefore,
           toUnixTimestamp64Milli(maxIf(collected_at, ${now})) AS lastAnsweredMs
      FROM answers WHERE ${within} GROUP BY project, prompt_id) AS answered
  LEFT JOIN (
    SELECT prompt_id, sumIf(n, is_own = 1) AS named, sumIf(nBefore, is_own = 1) AS namedBefore,
           sumIf(ranks, is_own = 1) AS ownRanks,
           argMaxIf((brand_id, n), (n, -ranks / n, -indexOf(${rivals}, brand_id)), is_own = 0 AND n > 0) AS best,
           best.1 AS rival, best.2 AS rivalNamed
      FROM (
        SELECT prompt_id, brand_id, is_own, countIf(${now}) AS n, countIf(${before}) AS nBefore,
               toFloat64(sumIf(rank, ${now})) AS ranks
          FROM ${mentions} AND (is_own = 1 OR brand_id IN ${rivals})
         GROUP BY prompt_id, brand_id, is_own)
     GROUP BY prompt_id) AS mentioned USING (prompt_id)
  LEFT JOIN (
    SELECT ofPrompt AS prompt_id, countIf(own = 0) AS lost
      FROM (SELECT any(prompt_id) AS ofPrompt, max(is_own) AS own
              FROM ${mentions} AND ${now} AND (is_own = 1 OR brand_id IN ${rivals}) GROUP BY answer_id)
     GROUP BY ofPrompt) AS lost_to USING (prompt_id)`
}
