import type { HistoryInterval } from '../../core/buckets.ts'
import { bucketDay } from '../shared/buckets.sql.ts'
import { toneCounts } from '../shared/judged.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/** Answers by day, week or month, and those that name a brand by brand. `key` is a brand, or empty for all answers. */
export function brandHistory(interval: HistoryInterval, facts: ManyFacts): string {
  const day = bucketDay[interval]
  return `
SELECT ${facts.selectOwner}, '' AS key, toString(${day}) AS date, count() AS responses, 0 AS named
  FROM ${facts.from('answers')} GROUP BY ${facts.owner}, ${day}
 UNION ALL
SELECT ${facts.selectOwner}, toString(brand_id), toString(${day}), 0, count()
  FROM ${facts.from('mentions', 'm')} AND ${facts.analysed} GROUP BY ${facts.owner}, brand_id, ${day}`
}

/**
 * Answers, mentions by brand, and citations by domain, of several projects or of slices of projects. `key` is a brand,
 * a domain, or empty for all answers.
 */
export function brandNumbers(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, '' AS key, count() AS responses, 0 AS named, 0 AS mentions, 0 AS ranks,
       0 AS positive, 0 AS neutral, 0 AS negative, 0 AS unrated, 0 AS brought, '' AS version,
       0 AS citations
  FROM ${facts.from('answers')} GROUP BY ${facts.owner}
 UNION ALL
SELECT ${facts.selectOwner}, toString(brand_id), 0, count(), sum(m.occurrences), sum(m.rank),
       ${toneCounts}, 0
  FROM ${facts.from('mentions', 'm')} AND ${facts.analysed} GROUP BY ${facts.owner}, brand_id
 UNION ALL
SELECT ${facts.selectOwner}, toString(domain), 0, 0, 0, 0, 0, 0, 0, 0, 0, '', count()
  FROM ${facts.from('citations', 'c')} AND c.domain IN {brandDomains:Array(String)}
 GROUP BY ${facts.owner}, domain`
}
