import type { InvestigatedMetric } from '../../core/investigate/drivers.ts'
import { manyAnalyses } from '../shared/facts.sql.ts'

/**
 * Statements over the answers that a metric counts. `facts` is the WHERE clause of `factsOf` or of
 * `factsWhere`. A metric is n of d; a rated answer counts 2 in d, so that a neutral answer counts 1 in n.
 */

const own = 'is_own = 1'
const tracked = 'brand_id IN {brands:Array(UUID)}'
const rated = 'sentiment IS NOT NULL'
const cited = `domain IN {ownDomains:Array(String)} AND
       has(arrayZip({ownProjects:Array(UUID)}, {ownDomains:Array(String)}), (project_id, toString(domain)))`

const keys = 'project_id, day, prompt_id, platform, location_id'

/** `mentions` are those of the facts as a FROM clause with WHERE, with the sentiments of the rater that was asked for. */
type Statement<Rest extends readonly unknown[] = []> = (
  facts: string,
  mentions: string,
  ...rest: Rest
) => string

/** Rows of n, the part, and d, the whole, by day and keys. */
const counted: Record<InvestigatedMetric, Statement> = {
  visibility: (facts) => `
    SELECT ${keys}, 0 AS part, 1 AS whole FROM answers WHERE ${facts}
     UNION ALL
    SELECT ${keys}, 1, 0 FROM mentions WHERE ${facts} AND ${manyAnalyses} AND ${own}`,
  shareOfVoice: (facts) => `
    SELECT ${keys}, brand_id, is_own AS part, 1 AS whole
      FROM mentions WHERE ${facts} AND ${manyAnalyses} AND ${tracked}`,
  sentiment: (_facts, mentions) => `
    SELECT ${keys}, (assumeNotNull(sentiment) >= {tone:Float64}) + (assumeNotNull(sentiment) > -{tone:Float64}) AS part, 2 AS whole
      FROM ${mentions} AND ${manyAnalyses} AND ${own} AND ${rated}`,
  citations: (facts) => `
    SELECT ${keys}, 1 AS part, 0 AS whole FROM citations WHERE ${facts} AND ${cited}`,
}

/** The key of each dimension; the share of voice alone has competitors. */
const dimensions = {
  platform: ['platform', 'toString(platform)'],
  prompt: ['prompt_id', 'toString(prompt_id)'],
  location: ['location_id', "if(empty(location_id), 'none', toString(location_id))"],
  competitor: ['brand_id', 'toString(brand_id)'],
} as const

/** n and d by platform, prompt, location and brand, in the window and in the window before. */
export function tallies(metric: InvestigatedMetric, facts: string, mentions: string): string {
  const now = 'day >= {currentFrom:Date}'
  const grouped = Object.entries(dimensions).filter(
    ([name]) => name !== 'competitor' || metric === 'shareOfVoice',
  )
  const chosen = (textOf: (name: string, key: string) => string) =>
    grouped
      .map(([name, [column, key]]) => `grouping(${column}) = 0, ${textOf(name, key)}`)
      .join(', ')
  return `
SELECT toString(project_id) AS projectId,
       multiIf(${chosen((name) => `'${name}'`)}, '') AS dimension,
       multiIf(${chosen((_name, key) => key)}, '') AS key,
       sumIf(part, ${now}) AS n, sumIf(whole, ${now}) AS d,
       sumIf(part, NOT ${now}) AS nBefore, sumIf(whole, NOT ${now}) AS dBefore
  FROM (${counted[metric](facts, mentions)})
 GROUP BY GROUPING SETS (${grouped.map(([, [column]]) => `(project_id, ${column})`).join(', ')})`
}

const mentioning = (facts: string, condition: string) =>
  `SELECT answer_id FROM mentions WHERE ${facts} AND ${manyAnalyses} AND ${condition}`

/** Selects the answers that count toward n, or those that count in d alone. */
const evident: Record<InvestigatedMetric, Statement<[counts: boolean]>> = {
  visibility: (facts, _mentions, counts) =>
    `id ${counts ? '' : 'NOT '}IN (${mentioning(facts, own)})`,
  shareOfVoice: (facts, _mentions, counts) =>
    counts
      ? `id IN (${mentioning(facts, own)})`
      : `id IN (${mentioning(facts, tracked)}) AND id NOT IN (${mentioning(facts, own)})`,
  sentiment: (_facts, mentions, counts) => {
    const tone = counts ? 'sentiment > -{tone:Float64}' : 'sentiment <= -{tone:Float64}'
    return `id IN (SELECT answer_id FROM ${mentions} AND ${manyAnalyses} AND ${own} AND ${tone})`
  },
  citations: (facts, _mentions, counts) =>
    `id ${counts ? '' : 'NOT '}IN (SELECT answer_id FROM citations WHERE ${facts} AND ${cited})`,
}

/** The two newest answers of each prompt that count toward n, or do not. Texts are read for those alone. */
export function evidence(
  metric: InvestigatedMetric,
  facts: string,
  mentions: string,
  counts: boolean,
): string {
  return `
SELECT toString(project_id) AS projectId, toString(id) AS answerId, toString(prompt_id) AS promptId,
       platform, toString(day) AS date, text
  FROM answers
 WHERE ${facts} AND id IN (
       SELECT id FROM answers WHERE ${facts} AND ${evident[metric](facts, mentions, counts)}
        ORDER BY collected_at DESC, UUIDToNum(id) LIMIT 2 BY prompt_id)
 ORDER BY collected_at DESC, UUIDToNum(id)`
}
