import { addressesOf, pageOf } from '../../warehouse/cited-pages.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/** What the numbers of a source are counted by. */
export type SourceColumn = 'domain' | 'url'

/** Citations of some domains, or of the pages of some URLs, and answers that cite each. The row without a name has all answers. */
export function citationsOf(column: SourceColumn, facts: ManyFacts): string {
  const isDomain = column === 'domain'
  const citing = isDomain ? 'sum(first_of_domain)' : 'count()'
  const names = '{names:Array(String)}'
  return `
SELECT ${facts.selectOwner}, ${isDomain ? 'toString(domain)' : pageOf('url')} AS name, count() AS citations, ${citing} AS citing, 0 AS responses
  FROM ${facts.from('citations')} AND ${column} IN ${isDomain ? names : addressesOf(names)}
 GROUP BY ${facts.owner}, name
 UNION ALL
SELECT ${facts.selectOwner}, '', 0, 0, count() FROM ${facts.from('answers')} GROUP BY ${facts.owner}`
}
