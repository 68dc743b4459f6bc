import type { ManyFacts } from '../shared/slices.sql.ts'

/** Each model of each AI platform, with the first day of its answers and how many it has since `{since}`. */
export function modelDays(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, toString(platform) AS platformId, toString(model) AS modelId,
       toString(min(day)) AS firstDay, countIf(day >= {since:Date}) AS answers
  FROM ${facts.from('answers')} AND model != ''
 GROUP BY ${facts.owner}, platform, model`
}
