import type { OutcomeMetric } from '../../core/opportunities/outcome.ts'
import { addressesOf } from '../../warehouse/cited-pages.sql.ts'
import { caseFold } from '../shared/spellings/case-fold.sql.ts'
import { ownMentions } from './answers.sql.ts'

/** Which answers an outcome is over. Every value is bound. */
const places = {
  all: () => '1',
  prompts: () => 'prompt_id IN {prompts:Array(UUID)}',
  platform: () => 'platform = {platform:String}',
  domain: (facts: string) =>
    `id IN (SELECT answer_id FROM citations WHERE ${facts} AND domain = {domain:String})`,
  queries: (facts: string) => `id IN (
     SELECT answer_id FROM fanout_queries
      WHERE ${facts} AND ${caseFold('query')} IN (SELECT ${caseFold('arrayJoin({queries:Array(String)})')}))`,
} as const

const mentioning = (facts: string, isJudged = false) =>
  `SELECT answer_id FROM ${ownMentions(facts, isJudged)}`

/** The answers that a metric counts, of `base`. */
const metrics = {
  visibility: { base: () => '1', counted: (facts: string) => `id IN (${mentioning(facts)})` },
  citations: {
    base: () => '1',
    counted: (facts: string) => `id IN (
       SELECT answer_id FROM citations
        WHERE ${facts} AND domain IN {ownDomains:Array(String)} AND ({url:String} = '' OR url IN ${addressesOf('[{url:String}]')}))`,
  },
  negative: {
    base: (facts: string, isJudged: boolean) =>
      `id IN (${mentioning(facts, isJudged)} AND sentiment IS NOT NULL)`,
    counted: (facts: string, isJudged: boolean) =>
      `id IN (${mentioning(facts, isJudged)} AND sentiment <= -{tone:Float64})`,
  },
} as const satisfies Record<OutcomeMetric, object>

export type OutcomePlace = keyof typeof places

/** A metric before and after a day, by prompt. The day itself belongs to neither. */
export const outcomeByPrompt =
  (metric: OutcomeMetric, place: OutcomePlace, isJudged: boolean) => (facts: string) =>
    `
SELECT toString(prompt_id) AS promptId,
       countIf(day > {decided:Date}) AS answers, countIf(day > {decided:Date} AND isCounted) AS counted,
       countIf(day < {decided:Date}) AS answersBefore, countIf(day < {decided:Date} AND isCounted) AS countedBefore
  FROM (
    SELECT prompt_id, day, ${metrics[metric].counted(facts, isJudged)} AS isCounted
      FROM answers
     WHERE ${facts} AND ${places[place](facts)} AND ${metrics[metric].base(facts, isJudged)})
 GROUP BY prompt_id`
