import { addressesOf, mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'

/**
 * URLs that were read for answers and not cited there, most answers first: a page of each project or slice, or those of
 * the pages in `urls`. An answer has one row for a page, and a page is shown at the address that most answers read.
 */
export function retrievedOfEach(facts: ManyFacts, named: boolean): string {
  const page = `LIMIT {offset:UInt64}, {limit:UInt64} BY ${facts.owner}`
  return `
SELECT ${facts.selectOwner}, url, site AS domain, newestTitle AS title, responses, total
  FROM (
    SELECT *, count() OVER (PARTITION BY ${facts.owner}) AS total
      FROM (
        SELECT ${facts.owner}, ${mostCited('address', 'times')} AS url, any(siteOfAddress) AS site,
               argMaxMerge(newest) AS newestTitle, sum(times) AS responses
          FROM (
            SELECT ${facts.owner}, r.url AS address, toString(any(r.domain)) AS siteOfAddress,
                   argMaxState(r.title, (r.title != '', r.day, r.answer_id)) AS newest, count() AS times
              FROM ${facts.from('retrieved_urls', 'r')} AND r.domain != ''
              ${named ? `AND r.url IN ${addressesOf('{urls:Array(String)}')}` : ''}
             GROUP BY ${facts.owner}, address)
         GROUP BY ${facts.owner}, ${pageOf('address')}))
 ORDER BY responses DESC, url
 ${named ? '' : page}`
}
