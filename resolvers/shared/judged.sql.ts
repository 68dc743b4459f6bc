import { toneThreshold } from '../../core/text/sentiment.ts'
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

/** Stands for a judge where rules rate the mentions of a project beside others that a judge rates. No version is called so. */
export const byRules = '-'

const ofProject = (values: string) => `${values}[indexOf({judgedProjects:Array(UUID)}, project_id)]`
const judge = ofProject('{judges:Array(String)}')

/** The newest verdicts on mentions. `judgeParams` binds the projects, and the facts bind the days. */
const verdicts = `
SELECT answer_id AS judgedAnswer, brand_id AS judgedBrand,
       argMax(sentiment, judged_at) AS judgedSentiment
  FROM judgements
 WHERE project_id IN {judgedProjects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date}
   AND analysis = ${ofProject('{judgedAnalyses:Array(UInt32)}')} AND judge_version = ${judge}
 GROUP BY answer_id, brand_id`

/**
 * Mentions with the sentiments of verdicts in the place of the stored ones, which are `readSentiment` here. A mention without a
 * verdict has none. Where `byRules` stands for a judge, the stored sentiments are read.
 */
const withVerdicts = (mentions: string) => `
SELECT * EXCEPT (judgedAnswer, judgedBrand, judgedSentiment),
       if(${judge} = '${byRules}', readSentiment, judgedSentiment) AS sentiment,
       if(${judge} = '${byRules}', wasImported, 0) AS imported
  FROM (SELECT * EXCEPT (sentiment, imported), sentiment AS readSentiment, imported AS wasImported
          FROM ${mentions}) AS named
  LEFT JOIN (${verdicts}) AS judged ON answer_id = judgedAnswer AND brand_id = judgedBrand`

/** The facts with the sentiments of judges. */
export function judgedFacts(facts: ManyFacts): ManyFacts {
  const mentions = withVerdicts(facts.from('mentions'))
  return {
    ...facts,
    from: (table, alias) =>
      table === 'mentions'
        ? `(${mentions}) AS ${alias ?? 'rated'} WHERE true`
        : facts.from(table, alias),
  }
}

/**
 * `mentions WHERE …`, with the sentiments of judges where projects have some.
 * @param facts the clause of `factsWhere` or of `factsOf`
 */
export const ratedMentions = (facts: string, isJudged: boolean): string =>
  isJudged
    ? `(${withVerdicts(`mentions WHERE ${facts}`)}) AS mentions WHERE true`
    : `mentions WHERE ${facts}`
