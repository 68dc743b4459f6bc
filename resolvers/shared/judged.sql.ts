import { toneThreshold } from '../../core/text/sentiment.ts'
import { manyAnalyses } from './facts.sql.ts'
import type { ManyFacts } from './slices.sql.ts'

const rulesVersion = 'minIf(tone_version, sentiment IS NOT NULL AND imported = 0)'

/** The version of the lexicon that rated some mentions: the oldest, as after a change of the lexicon. Versions start at 1. */
const lexiconVersion = `if(${rulesVersion} = 0, '', toString(${rulesVersion}))`

/**
 * Mentions by tone. The engine keeps these sums by day: the statements must have the very expressions of the migration
 * `0020_sums_of_tones`, so the threshold is no parameter.
 */
export const ratedCounts = `countIf(sentiment >= ${toneThreshold}) AS positive,
       countIf(sentiment > -${toneThreshold} AND sentiment < ${toneThreshold}) AS neutral,
       countIf(sentiment <= -${toneThreshold}) AS negative`

/** The same with those that nobody rated, and who rated the others: the engine reads twice as many columns. */
export const toneCounts = `${ratedCounts}, countIf(sentiment IS NULL) AS unrated,
       countIf(sentiment IS NOT NULL AND imported = 1) AS brought, ${lexiconVersion} AS version`

/** The version of the judge whose run of each project ended last. */
export const newestJudges = `
SELECT toString(project_id) AS projectId, argMax(toString(judge_version), finished_at) AS version
  FROM judge_runs WHERE project_id IN {projects:Array(UUID)}
 GROUP BY project_id`

const verdicts = `
SELECT answer_id AS judgedAnswer, brand_id AS judgedBrand,
       argMax(sentiment, judged_at) AS judgedSentiment
  FROM judgements
 WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND ${manyAnalyses}
   AND judge_version = {judges:Array(String)}[indexOf({projects:Array(UUID)}, project_id)]
 GROUP BY answer_id, brand_id`

/**
 * The facts with the judge's sentiment of each mention in the place of the stored one, which is \`readSentiment\` here.
 * A mention without a verdict has none.
 */
export function judgedFacts(facts: ManyFacts): ManyFacts {
  const mentions = `
SELECT * EXCEPT (judgedAnswer, judgedBrand, judgedSentiment), judgedSentiment AS sentiment, 0 AS imported
  FROM (SELECT * EXCEPT (sentiment, imported), sentiment AS readSentiment, imported AS wasImported
          FROM ${facts.from('mentions')}) AS named
  LEFT JOIN (${verdicts}) AS judged ON answer_id = judgedAnswer AND brand_id = judgedBrand`
  return {
    ...facts,
    from: (table, alias) =>
      table === 'mentions'
        ? `(${mentions}) AS ${alias ?? 'rated'} WHERE true`
        : facts.from(table, alias),
  }
}
