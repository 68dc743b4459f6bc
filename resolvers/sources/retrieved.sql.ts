import type { ManyFacts } from '../shared/slices.sql.ts'

/**
 * URLs that were read for answers and not cited there, most answers first: a page of each project or slice, or the URLs
 * in `urls`. An answer has one row for a URL.
 */
export function retrievedOfEach(facts: ManyFacts, named: boolean): string {
  const page = `LIMIT {offset:UInt64}, {limit:UInt64} BY ${facts.owner}`
  return `
SELECT ${facts.selectOwner}, url, site AS domain, newestTitle AS title, responses, total
  FROM (
    SELECT *, count() OVER (PARTITION BY ${facts.owner}) AS total
      FROM (
        SELECT ${facts.owner}, url, toString(any(r.domain)) AS site,
               argMax(r.title, (r.title != '', r.day, r.answer_id)) AS newestTitle, count() AS responses
          FROM ${facts.from('retrieved_urls', 'r')} AND r.domain != '' ${named ? 'AND r.url IN {urls:Array(String)}' : ''}
         GROUP BY ${facts.owner}, url))
 ORDER BY responses DESC, url
 ${named ? '' : page}`
}
