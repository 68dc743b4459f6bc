import type { ManyFacts } from '../shared/slices.sql.ts'

/**
 * Mentions by brand, for any number of projects or of slices of projects. With a
 * comparison the facts span both windows; days between the windows are not read.
 */
export function brandCounts(facts: ManyFacts, isCompared: boolean): string {
  const current = 'day >= {currentFrom:Date}'
  const counted = isCompared
    ? `sumIf(occurrences, ${current}) AS mentions, countIf(${current}) AS responses,
       sumIf(occurrences, NOT ${current}) AS previousMentions, countIf(NOT ${current}) AS previousResponses`
    : 'sum(occurrences) AS mentions, count() AS responses'
  const windows = isCompared ? `AND (${current} OR day <= {previousTo:Date})` : ''
  return `
SELECT ${facts.selectOwner}, brand_id AS brandId, ${counted}
  FROM ${facts.from('mentions')} AND ${facts.analysed} ${windows}
 GROUP BY ${facts.owner}, brand_id`
}
