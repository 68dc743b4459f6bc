import type { ManyFacts } from '../shared/slices.sql.ts'

/** What the numbers of a source are counted by. */
export type SourceColumn = 'domain' | 'url'

/** Citations of some domains or URLs, and answers that cite each. The row without a name has all answers. */
export function citationsOf(column: SourceColumn, facts: ManyFacts): string {
  const citing = column === 'domain' ? 'sum(first_of_domain)' : 'count()'
  return `
SELECT ${facts.selectOwner}, toString(${column}) AS name, count() AS citations, ${citing} AS citing, 0 AS responses
  FROM ${facts.from('citations')} AND ${column} IN {names:Array(String)}
 GROUP BY ${facts.owner}, ${column}
 UNION ALL
SELECT ${facts.selectOwner}, '', 0, 0, count() FROM ${facts.from('answers')} GROUP BY ${facts.owner}`
}
