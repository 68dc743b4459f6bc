import type { ManyFacts } from '../shared/slices.sql.ts'
import { current, latestTitled, ofKnownPage, ofKnownSite, registryTypeOf } from './sources.sql.ts'

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

/** Ranked URLs. The facts are those of the window and of the one before it, for growth. */
export function urlsOfEach(facts: ManyFacts, { ofDomain, named }: UrlShape): string {
  const list = ofDomain ? `${facts.owner}, site` : facts.owner
  const onPage = 'place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64}'
  return `
SELECT ${facts.selectOwner}, url, site AS domain, cited, previous, registryType, place, total, responses
  FROM (
    SELECT *, row_number() OVER (PARTITION BY ${list} ORDER BY cited DESC, url) AS place,
           count() OVER (PARTITION BY ${list}) AS total
      FROM (
        SELECT ${facts.owner}, url, toString(any(c.domain)) AS site, countIf(${current}) AS cited,
               countIf(NOT ${current}) AS previous, ${registryTypeOf} AS registryType
          FROM ${facts.from('citations', 'c')}
           AND c.${ofKnownPage} ${ofDomain ? 'AND c.domain IN {domains:Array(String)}' : ''}
         GROUP BY ${facts.owner}, url)
     WHERE cited > 0) AS ranked
  ${withResponses(facts)}
 WHERE ${named ? 'url IN {urls:Array(String)}' : onPage}
 ORDER BY place, url`
}

/** Title, content type and more of URLs. `where` is the clause of the facts, without slices. */
export function detailsOfEach(facts: ManyFacts, where: string): string {
  const latest = `argMax((c.title, c.content_type), ${latestTitled})`
  return `
SELECT ${facts.selectOwner}, url, (${latest}).1 AS title, (${latest}).2 AS contentType,
       max(answer_id IN (
         SELECT answer_id FROM mentions
          WHERE ${where} AND ${facts.analysed} AND is_own = 1)) AS brandMentioned,
       max((project_id, url) IN (
         SELECT project_id, url FROM page_contents
          WHERE project_id IN {projects:Array(UUID)} AND url IN {urls:Array(String)})) AS hasContent
  FROM ${facts.from('citations', 'c')} AND ${current} AND url IN {urls:Array(String)}
 GROUP BY ${facts.owner}, url`
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
               uniqExactIf(cityHash64(url), ${named} AND c.${ofKnownPage}) AS pageCount, ${counted('model')} AS models,
               ${counted('content_type')} AS contentTypes, ${counted('host')} AS hosts
          FROM ${facts.from('citations', 'c')} AND ${current} AND c.${ofKnownSite}
         GROUP BY ${facts.owner}, site)) AS ranked
  ${withResponses(facts)}
 WHERE site IN {domains:Array(String)}`
}

/** The bytes of the texts of pages. */
export const pageContentSizes = `
SELECT toString(project_id) AS projectId, url, max(length(content)) AS sizeBytes
  FROM page_contents
 WHERE project_id IN {projects:Array(UUID)} AND url IN {urls:Array(String)}
 GROUP BY project_id, url`

/** The text of pages: the latest imported one, else the one that an audit read. */
export const pageContents = `
SELECT toString(project_id) AS projectId, url, title, content,
       toUnixTimestamp64Milli(fetched_at) AS fetchedMs
  FROM page_contents
 WHERE project_id IN {projects:Array(UUID)} AND url IN {urls:Array(String)}
 ORDER BY origin, fetched_at DESC, content
 LIMIT 1 BY project_id, url`
