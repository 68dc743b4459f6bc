import type { MarkMetric } from '../../core/marks/marks.ts'
import { addressesOf } from '../../warehouse/cited-pages.sql.ts'

/** Whether an answer counts. */
const countedBy: Readonly<Record<MarkMetric, (facts: string) => string>> = {
  visibility: (facts) => `id IN (
         SELECT answer_id FROM mentions WHERE ${facts} AND analysis = {analysis:UInt32} AND is_own = 1)`,
  citations: (facts) => `id IN (
         SELECT answer_id FROM citations WHERE ${facts} AND domain IN {ownDomains:Array(String)})`,
}

/** Answers by prompt and day, and those of them that count: `[days since {origin}, answers, counted]`, by day. */
export function answersByDay(facts: string, metric: MarkMetric): string {
  return `
SELECT toString(prompt_id) AS promptId, arraySort(groupArray((place, answers, counted))) AS days
  FROM (
    SELECT prompt_id, toInt32(day - {origin:Date}) AS place, count() AS answers, countIf(isCounted) AS counted
      FROM (SELECT prompt_id, day, ${countedBy[metric](facts)} AS isCounted FROM answers WHERE ${facts})
     GROUP BY prompt_id, place)
 GROUP BY prompt_id`
}

/** The prompts whose answers cite a page, or a domain where `{url}` is empty: most answers first. */
export function promptsCiting(facts: string): string {
  return `
SELECT toString(prompt_id) AS promptId
  FROM citations
 WHERE ${facts} AND if({url:String} = '', domain = {domain:String}, url IN ${addressesOf('[{url:String}]')})
 GROUP BY prompt_id
 ORDER BY uniqExact(answer_id) DESC, prompt_id LIMIT {most:UInt32}`
}
