import type { ManyFacts } from '../shared/slices.sql.ts'
import { ofKnownSite, registryTypeOf } from './sources.sql.ts'

/**
 * The domains that the answers of each cite, most citations first, ties by name. One hash groups the citations, and
 * each owner ranks its domains in an array. Keys of three columns and a sort of all domains take twice the time.
 */
export function domainsOfEach({ from, owner, ownerColumns, selectOwner }: ManyFacts): string {
  const hashed = [...ownerColumns, 'domain'].map((column) => `c.${column}`)
  const any = [...ownerColumns, 'domain'].map((column) => `any(c.${column}) AS ${column}`)
  return `
SELECT ${selectOwner}, found.2 AS cited, -found.1 AS citations, found.3 AS answers, found.4 AS registryType, total
  FROM (
    SELECT ${owner}, count() AS total,
           arrayPartialSort({offset:UInt64} + {limit:UInt64},
                            groupArray((-citations, domain, answers, type))) AS ranked,
           arrayJoin(arraySlice(ranked, {offset:UInt64} + 1, {limit:UInt64})) AS found
      FROM (
        SELECT ${any.join(', ')}, count() AS citations, sum(first_of_domain) AS answers, ${registryTypeOf} AS type
          FROM ${from('citations', 'c')} AND c.${ofKnownSite}
         GROUP BY cityHash64(${hashed.join(', ')}))
     GROUP BY ${owner})
 ORDER BY citations DESC, cited`
}
