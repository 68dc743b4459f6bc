import type { ManyFacts } from '../shared/slices.sql.ts'
import { ofKnownSite, registryTypeOf } from './sources.sql.ts'

/** The domains that the answers of each cite, most citations first, ties by name. */
export function domainsOfEach(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, toString(domain) AS cited, count() AS citations,
       sum(first_of_domain) AS answers, ${registryTypeOf} AS registryType,
       count() OVER (PARTITION BY ${facts.owner}) AS total
  FROM ${facts.from('citations')} AND ${ofKnownSite}
 GROUP BY ${facts.owner}, cited
 ORDER BY citations DESC, cited
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY ${facts.owner}`
}
