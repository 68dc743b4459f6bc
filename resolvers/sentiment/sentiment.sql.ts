import { lexiconVersion } from '../shared/judged.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/**
 * Statements over the mentions of several projects, or of slices of projects. A mention without a sentiment is unrated.
 */

const byTone = `countIf(sentiment >= {tone:Float64}) AS positive,
       countIf(sentiment > -{tone:Float64} AND sentiment < {tone:Float64}) AS neutral,
       countIf(sentiment <= -{tone:Float64}) AS negative,
       countIf(is_named = 1 AND sentiment IS NULL) AS unrated,
       countIf(sentiment IS NOT NULL AND imported = 1) AS brought, ${lexiconVersion} AS version`

/** The own brand in the window, and in the comparison window when the facts span both. */
export function ownTones(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, day >= {currentFrom:Date} AS isCurrent, 1 AS is_named, ${byTone}
  FROM ${facts.from('mentions')} AND ${facts.analysed} AND is_own = 1
   AND (day >= {currentFrom:Date} OR day <= {comparedTo:Date})
 GROUP BY ${facts.owner}, isCurrent`
}

/** The own brand by day, for every day with answers. */
export function tonesByDay(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, toString(day) AS date, ${byTone}
  FROM (
    SELECT DISTINCT ${facts.owner}, day, NULL AS sentiment, 0 AS imported,
           0 AS tone_version, 0 AS is_named FROM ${facts.from('answers')}
    UNION ALL
    SELECT ${facts.owner}, day, sentiment, imported, tone_version, 1 AS is_named FROM ${facts.from('mentions')} AND ${facts.analysed} AND is_own = 1)
 GROUP BY ${facts.owner}, day
 ORDER BY day`
}

export function tonesByBrand(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, brand_id AS brandId, 1 AS is_named, ${byTone}
  FROM ${facts.from('mentions')} AND ${facts.analysed}
 GROUP BY ${facts.owner}, brand_id`
}

/** The own brand by the tones of both raters, where both rated a mention. Tones of imports are neither's. */
export function tonesTwice(facts: ManyFacts): string {
  const tone = (column: string) =>
    `multiIf(${column} >= {tone:Float64}, 'positive', ${column} > -{tone:Float64}, 'neutral', 'negative')`
  return `
SELECT ${facts.selectOwner}, ${tone('readSentiment')} AS lexicon, ${tone('sentiment')} AS judge,
       count() AS mentions
  FROM ${facts.from('mentions')} AND ${facts.analysed} AND is_own = 1 AND wasImported = 0
   AND sentiment IS NOT NULL AND readSentiment IS NOT NULL
 GROUP BY ${facts.owner}, lexicon, judge`
}
