import { narrowedBy } from '../shared/narrowing.sql.ts'
import type { Narrowing } from '../shared/narrowing.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/** The prompts of the answers of each, most answers first, ties by id. */
export function promptsOfEach(facts: ManyFacts, where: string, narrowing: Narrowing): string {
  return `
SELECT ${facts.selectOwner}, toString(prompt_id) AS promptId, count() AS answers,
       count() OVER (PARTITION BY ${facts.owner}) AS total
  FROM ${facts.from('answers')} ${narrowedBy(narrowing, { where, analysed: facts.analysed })}
 GROUP BY ${facts.owner}, prompt_id
 ORDER BY answers DESC, promptId
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY ${facts.owner}`
}
