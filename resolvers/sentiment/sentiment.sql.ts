import type { HistoryInterval } from '../../core/buckets.ts'
import { bucketDay } from '../shared/buckets.sql.ts'
import { ratedCounts, toneCounts } from '../shared/judged.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/**
 * Statements over the mentions of several projects, or of slices of projects. A mention without a sentiment is unrated.
 */

/** Whether rows say who rated the mentions, and how many nobody did. */
interface ToneShape {
  readonly origins: boolean
}

const countsOf = ({ origins }: ToneShape) => (origins ? toneCounts : ratedCounts)

/** The own brand in the window, and in the comparison window when the facts span both. */
export function ownTones(facts: ManyFacts, shape: ToneShape & { isCompared: boolean }): string {
  const { isCompared } = shape
  const current = 'day >= {currentFrom:Date}'
  return `
SELECT ${facts.selectOwner}, ${isCompared ? current : 1} AS isCurrent, ${countsOf(shape)}
  FROM ${facts.from('mentions')} AND ${facts.analysed} AND is_own = 1
   ${isCompared ? `AND (${current} OR day <= {comparedTo:Date})` : ''}
 GROUP BY ${facts.owner}, isCurrent`
}

/** The own brand by day, week or month. Each has a row for its answers, and another one where they name the brand. */
export function tonesBy(interval: HistoryInterval, facts: ManyFacts, shape: ToneShape): string {
  const day = bucketDay[interval]
  const others = shape.origins ? ", 0 AS unrated, 0 AS brought, '' AS version" : ''
  return `
SELECT ${facts.selectOwner}, toString(${day}) AS date, 0 AS isNamed, 0 AS positive, 0 AS neutral, 0 AS negative${others}
  FROM ${facts.from('answers')} GROUP BY ${facts.owner}, ${day}
 UNION ALL
SELECT ${facts.selectOwner}, toString(${day}) AS date, 1 AS isNamed, ${countsOf(shape)}
  FROM ${facts.from('mentions')} AND ${facts.analysed} AND is_own = 1 GROUP BY ${facts.owner}, ${day}`
}

export function tonesByBrand(facts: ManyFacts, shape: ToneShape): string {
  return `
SELECT ${facts.selectOwner}, brand_id AS brandId, ${countsOf(shape)}
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
