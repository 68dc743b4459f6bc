import { mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { hasBoundTerms } from '../shared/search.sql.ts'
import { latestTitled, ofKnownPage, ofKnownSite } from './sources.sql.ts'

/** Cited domains, most citations first. */
export const sourceHits = (facts: string, terms: number) => `
SELECT toString(domain) AS name, count() AS citations
  FROM citations
 WHERE ${facts} AND ${ofKnownSite} AND ${hasBoundTerms('domain', terms)}
 GROUP BY name
 ORDER BY citations DESC, name
 LIMIT {limit:UInt32}`

/** Cited URLs by address or title, most citations first, with their newest title. */
export const pageHits = (facts: string, terms: number) => `
SELECT ${mostCited('address', 'times')} AS url, argMaxMerge(newest) AS name, sum(times) AS citations
  FROM (
    SELECT c.url AS address, argMaxState(c.title, ${latestTitled}) AS newest, count() AS times
      FROM citations AS c
     WHERE ${facts} AND c.${ofKnownPage} AND ${hasBoundTerms("concat(c.url, ' ', c.title)", terms)}
     GROUP BY address)
 GROUP BY ${pageOf('address')}
 ORDER BY citations DESC, url
 LIMIT {limit:UInt32}`
