import {
  addressesOf,
  mostCited,
  pageHash,
  pageOf,
  pagesOf,
} from '../../warehouse/cited-pages.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'
import {
  current,
  latestTitled,
  mostCitedType,
  ofKnownPage,
  ofKnownSite,
  registryTypeOf,
  typeCounts,
} from './sources.sql.ts'

/** Statements over cited URLs and domains as objects, of several projects or of slices of projects. */

/** Joins the number of answers of each. */
function withResponses({ from, owner, ownerColumns }: ManyFacts): string {
  const answers = `FROM ${from('answers')} AND ${current}`
  if (ownerColumns.length === 0) {
    return `CROSS JOIN (SELECT count() AS responses ${answers}) AS answered`
  }
  return `LEFT JOIN (
    SELECT ${ownerColumns.join(', ')}, count() AS responses ${answers} GROUP BY ${owner}) AS answered
 USING (${ownerColumns.join(', ')})`
}

/** How URLs are ranked, and which are read. */
export interface UrlShape {
  /** Within their domain, one of `domains`; otherwise among all. */
  readonly ofDomain: boolean
  /** The URLs in `urls`; otherwise a page of the list. */
  readonly named: boolean
}

const bound = '{urls:Array(String)}'

/** Ranked URLs, each the most cited address of its page. The facts are those of the window and of the one before it, for growth. */
export function urlsOfEach(facts: ManyFacts, { ofDomain, named }: UrlShape): string {
  const { owner } = facts
  const list = ofDomain ? `${owner}, site` : owner
  const onPage = 'place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64}'
  return `
SELECT ${facts.selectOwner}, url, site AS domain, cited, previous, registryType, place, total, responses
  FROM (
    SELECT *, row_number() OVER (PARTITION BY ${list} ORDER BY cited DESC, url) AS place,
           count() OVER (PARTITION BY ${list}) AS total
      FROM (
        SELECT ${owner}, ${pageOf('address')} AS page, ${mostCited('address', 'times')} AS url, any(siteOfAddress) AS site,
               sum(times) AS cited, sum(timesBefore) AS previous, ${mostCitedType('sumForEach(evident)')} AS registryType
          FROM (
            SELECT ${owner}, c.url AS address, toString(any(c.domain)) AS siteOfAddress, countIf(${current}) AS times,
                   countIf(NOT ${current}) AS timesBefore, ${typeCounts} AS evident
              FROM ${facts.from('citations', 'c')}
               AND c.${ofKnownPage} ${ofDomain ? 'AND c.domain IN {domains:Array(String)}' : ''}
             GROUP BY ${owner}, address)
         GROUP BY ${owner}, page)
     WHERE cited > 0) AS ranked
  ${withResponses(facts)}
 WHERE ${named ? `page IN ${pagesOf(bound)}` : onPage}
 ORDER BY place, url`
}

/** Title, content type and more of the pages of URLs. `where` is the clause of the facts, without slices. */
export function detailsOfEach(facts: ManyFacts, where: string): string {
  const latest = `argMax((c.title, c.content_type), ${latestTitled})`
  return `
SELECT ${facts.selectOwner}, ${pageOf('c.url')} AS page, (${latest}).1 AS title, (${latest}).2 AS contentType,
       max(answer_id IN (
         SELECT answer_id FROM mentions
          WHERE ${where} AND ${facts.analysed} AND is_own = 1)) AS brandMentioned,
       max((project_id, ${pageOf('c.url')}) IN (
         SELECT project_id, ${pageOf('url')} FROM page_contents
          WHERE project_id IN {projects:Array(UUID)} AND url IN ${addressesOf(bound)})) AS hasContent
  FROM ${facts.from('citations', 'c')} AND ${current} AND c.url IN ${addressesOf(bound)}
 GROUP BY ${facts.owner}, page`
}

/** Domains by name, ranked among all domains. What only the named ones show is counted for them alone. */
export function domainsByName(facts: ManyFacts): string {
  const named = 'c.domain IN {domains:Array(String)}'
  const counted = (column: string) => `sumMapIf(map(${column}, 1), ${named})`
  return `
SELECT ${facts.selectOwner}, site AS domain, citations, frequency, registryType, rank, pageCount,
       models, contentTypes, hosts, responses
  FROM (
    SELECT *, row_number() OVER (PARTITION BY ${facts.owner} ORDER BY citations DESC, site) AS rank
      FROM (
        SELECT ${facts.owner}, toString(c.domain) AS site, count() AS citations,
               sum(first_of_domain) AS frequency, ${registryTypeOf} AS registryType,
               uniqExactIf(${pageHash}, ${named} AND c.${ofKnownPage}) AS pageCount, ${counted('model')} AS models,
               ${counted('content_type')} AS contentTypes, ${counted('host')} AS hosts
          FROM ${facts.from('citations', 'c')} AND ${current} AND c.${ofKnownSite}
         GROUP BY ${facts.owner}, site)) AS ranked
  ${withResponses(facts)}
 WHERE site IN {domains:Array(String)}`
}

/** The bytes of the texts of pages. */
export const pageContentSizes = `
SELECT toString(project_id) AS projectId, ${pageOf('url')} AS page, max(length(content)) AS sizeBytes
  FROM page_contents
 WHERE project_id IN {projects:Array(UUID)} AND url IN ${addressesOf(bound)}
 GROUP BY project_id, page`

/** The text of pages: the latest imported one, else the one that an audit read. */
export const pageContents = `
SELECT toString(project_id) AS projectId, url, title, content,
       toUnixTimestamp64Milli(fetched_at) AS fetchedMs
  FROM page_contents
 WHERE project_id IN {projects:Array(UUID)} AND url IN ${addressesOf(bound)}
 ORDER BY origin, fetched_at DESC, url, content
 LIMIT 1 BY project_id, ${pageOf('url')}`
