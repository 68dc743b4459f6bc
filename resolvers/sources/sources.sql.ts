import type { HistoryInterval } from '../../core/buckets.ts'
import { sourceTypes } from '../../core/sites/source-types.ts'
import { addressesOf, mostCited, pageHash, pageOf } from '../../warehouse/cited-pages.sql.ts'
import { bucketDay } from '../shared/buckets.sql.ts'

/**
 * Statements over citations. `facts` is the WHERE clause of `factsWhere`; every value is bound.
 * Each page includes the first row of the list, so an empty page knows the total. `place` numbers the rows.
 */

/** Sort orders of domains, ties by name. Cross-multiplication compares ratios exactly. */
const domainOrders = {
  citations: {
    order: 'citations ASC',
    after: 'citations > {cursorCitations:UInt64}',
    tie: 'citations = {cursorCitations:UInt64}',
  },
  '-citations': {
    order: 'citations DESC',
    after: 'citations < {cursorCitations:UInt64}',
    tie: 'citations = {cursorCitations:UInt64}',
  },
  usage: {
    order: 'frequency ASC',
    after: 'frequency > {cursorFrequency:UInt64}',
    tie: 'frequency = {cursorFrequency:UInt64}',
  },
  '-usage': {
    order: 'frequency DESC',
    after: 'frequency < {cursorFrequency:UInt64}',
    tie: 'frequency = {cursorFrequency:UInt64}',
  },
  avgCitations: {
    order: 'citations / frequency ASC',
    after: 'citations * {cursorFrequency:UInt64} > {cursorCitations:UInt64} * frequency',
    tie: 'citations * {cursorFrequency:UInt64} = {cursorCitations:UInt64} * frequency',
  },
  '-avgCitations': {
    order: 'citations / frequency DESC',
    after: 'citations * {cursorFrequency:UInt64} < {cursorCitations:UInt64} * frequency',
    tie: 'citations * {cursorFrequency:UInt64} = {cursorCitations:UInt64} * frequency',
  },
} as const

export type DomainSort = keyof typeof domainOrders
export const domainSorts = Object.keys(domainOrders) as DomainSort[]

export interface ListShape {
  facts: string
  /** Whether the page starts after a cursor rather than at an offset. */
  afterCursor: boolean
  sourceTypes: boolean
  contentTypes: boolean
}

/** The rows of the page, and the first row of the list. */
const onPage = 'place = 1 OR (place > start AND place <= start + {limit:UInt64})'

/** The number of rows before the page: the offset, or the rows up to the cursor. */
function start(afterCursor: boolean, behind: string): string {
  return afterCursor ? `countIf(NOT (${behind})) OVER ()` : '{offset:UInt64}'
}

/** The types that a page can say by itself. */
const evidentTypes = sourceTypes.filter(
  (type) => type !== 'brand' && type !== 'competitor' && type !== 'other',
)
const typesByPlace = ['other', ...evidentTypes].map((type) => `'${type}'`).join(', ')

/** Citations of each type that a page says by itself, in the order of `evidentTypes`. */
export const typeCounts = `[${evidentTypes.map((type) => `countIf(registry_type = '${type}')`).join(', ')}]`

/** The type with most citations; of several, the first of `sourceTypes`. `other` where no page says one. */
export const mostCitedType = (counts: string) => `arrayReverseSort(
      arrayMap((type, cited, place) -> (cited, place, type),
        [${typesByPlace}], arrayPushFront(${counts}, 0), range(${evidentTypes.length + 1}, 0, -1)))[1].3`

/** The source type of a domain, or of a URL. */
export const registryTypeOf = mostCitedType(typeCounts)

/** A redirector may say neither its page nor its site: it has no host, and no domain. */
export const ofKnownSite = "domain != ''"
export const ofKnownPage = "host != ''"

const sourceTypeOf = (domain: string, registryType = registryTypeOf) =>
  `multiIf(${domain} IN {ownDomains:Array(String)}, 'brand',
      ${domain} IN {competitorDomains:Array(String)}, 'competitor', ${registryType})`

/**
 * A page of cited domains, with the columns that rank them. `domainDetails` adds the other columns for the page. Types are
 * worked out here where they narrow the list: for every citation they cost more than the ranking.
 */
export function domainPage(shape: ListShape, sort: DomainSort): string {
  const { order, after, tie } = domainOrders[sort]
  const behind = `${after} OR (${tie} AND domain > {cursorName:String})`
  return `
SELECT *, (SELECT count() FROM answers WHERE ${shape.facts}) AS responses
  FROM (
    SELECT *, count() OVER () AS total,
           row_number() OVER (ORDER BY citations DESC, domain) AS rank,
           row_number() OVER (ORDER BY ${order}, domain) AS place,
           ${start(shape.afterCursor, behind)} AS start
      FROM (
        SELECT domain, count() AS citations, sum(first_of_domain) AS frequency
               ${shape.sourceTypes ? `, ${sourceTypeOf('domain')} AS type` : ''}
          FROM citations WHERE ${shape.facts} AND ${ofKnownSite} GROUP BY domain)
     ${shape.sourceTypes ? 'WHERE type IN {sourceTypes:Array(String)}' : ''})
 WHERE ${onPage}
 ORDER BY place`
}

/**
 * Type, pages, models and more of the given domains. 64-bit hashes distinguish URLs, and the groups of citations: comparing
 * texts takes longer. Citations are counted before they go into maps: a map of each citation takes half as long again.
 */
export function domainDetails(facts: string): string {
  return `
SELECT site AS domain, ${sourceTypeOf('site', mostCitedType('sumForEach(typeCounts)'))} AS type,
       uniqExactMergeIf(pages, pageHost != '') AS pageCount, sumMap(map(modelName, cited)) AS models,
       sumMap(map(pageType, cited)) AS contentTypes, sumMap(map(pageHost, cited)) AS hosts
  FROM (
    SELECT any(domain) AS site, any(model) AS modelName, any(content_type) AS pageType, any(host) AS pageHost,
           count() AS cited, ${typeCounts} AS typeCounts,
           uniqExactState(${pageHash}) AS pages
      FROM citations WHERE ${facts} AND domain IN {domains:Array(String)}
     GROUP BY cityHash64(domain, model, content_type, host, registry_type))
 GROUP BY site`
}

/** Citations of the window. The previous window is read for growth only. */
export const current = 'day >= {currentFrom:Date}'

export const latestTitled = "(c.title != '', day, answer_id)"

const newestContentType = `argMaxIfState(content_type, ${latestTitled}, ${current})`

const ofDomain = 'AND c.domain = {domain:String}'

/** The answers of a window. */
export const responseCount = (facts: string) => `
SELECT count() AS responses FROM answers WHERE ${facts}`

/**
 * A page of cited URLs, with the columns that rank them: of a page that answers cite at several addresses, the one that
 * most cite. `urlOrigins` and `urlDetails` add the other columns. Types are worked out here where they narrow the list:
 * for every URL they cost three times the ranking.
 */
export function urlPage(shape: ListShape & { oneDomain: boolean }): string {
  const typed = shape.sourceTypes || shape.contentTypes
  const narrowed = [
    'cited > 0',
    shape.sourceTypes ? 'type IN {sourceTypes:Array(String)}' : '',
    shape.contentTypes ? 'contentType IN {contentTypes:Array(String)}' : '',
  ].filter(Boolean)
  const ofAddress = [
    shape.sourceTypes ? `, any(c.domain) AS site, ${typeCounts} AS evident` : '',
    shape.contentTypes ? `, ${newestContentType} AS newest` : '',
  ]
  const ofPage = [
    shape.sourceTypes
      ? `, any(site) AS siteOfPage, ${sourceTypeOf('siteOfPage', mostCitedType('sumForEach(evident)'))} AS type`
      : '',
    shape.contentTypes ? ', argMaxIfMerge(newest) AS contentType' : '',
  ]
  const behind = `WHERE cited < {cursorCitations:UInt64}
      OR (cited = {cursorCitations:UInt64} AND url > {cursorName:String})`
  return `
SELECT url, cited, total
  FROM (
    SELECT *, count() OVER () AS total
      FROM (
        SELECT ${mostCited('address', 'times')} AS url, sum(times) AS cited ${ofPage.join('')}
          FROM (
            SELECT c.url AS address, ${typed ? `countIf(${current})` : 'count()'} AS times ${ofAddress.join('')}
              FROM citations AS c
             WHERE ${shape.facts} ${typed ? '' : `AND ${current}`} AND ${ofKnownPage} ${shape.oneDomain ? ofDomain : ''}
             GROUP BY address)
         GROUP BY ${pageOf('address')})
     WHERE ${narrowed.join(' AND ')})
 ${shape.afterCursor ? behind : ''}
 ORDER BY cited DESC, url
 LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}

interface UrlFacts {
  readonly facts: string
  readonly oneDomain: boolean
}

const ofUrls = ({ facts, oneDomain }: UrlFacts) =>
  `${facts} AND ${ofKnownPage} ${oneDomain ? ofDomain : ''} AND url IN ${addressesOf('{urls:Array(String)}')}`

/** Where the pages of the given URLs belong. `facts` covers the window and the one before it. */
export function urlOrigins(shape: UrlFacts): string {
  return `
SELECT ${pageOf('c.url')} AS page, toString(any(c.domain)) AS domain, countIf(NOT ${current}) AS previous,
       ${sourceTypeOf('any(c.domain)')} AS type
  FROM citations AS c
 WHERE ${ofUrls(shape)}
 GROUP BY page`
}

/** Both parts of one aggregate, which the engine keeps once: each alone would compare all rows again. */
const latest = `argMax((c.title, c.content_type), ${latestTitled})`

/** Titles and content types of the pages of the given URLs, and whether an answer that cites one names the own brand, and more. */
export function urlDetails(shape: UrlFacts): string {
  return `
SELECT ${pageOf('c.url')} AS page, (${latest}).1 AS title, (${latest}).2 AS contentType,
       max(answer_id IN (
         SELECT answer_id FROM mentions
          WHERE ${shape.facts} AND analysis = {analysis:UInt32} AND is_own = 1)) AS brandMentioned,
       page IN (SELECT ${pageOf('url')} FROM page_contents WHERE project_id = {project:UUID}) AS hasContent
  FROM citations AS c
 WHERE ${ofUrls(shape)}
 GROUP BY page`
}

/**
 * Content types with their counts. `approx_top_count` is exact where it has room for all values, as for each domain of a
 * competitor here. A map of each citation took a fifth of the statement.
 */
export function contentTypeList(facts: string, competitorDomains: number): string {
  const most = Math.max(1, competitorDomains)
  return `
SELECT content_type AS contentType,
       countIf(${current}) AS used, countIf(NOT ${current}) AS previouslyUsed,
       uniqExactIf(prompt_id, ${current}) AS prompts,
       sumIf(first_of_type, ${current}) AS citing,
       approx_top_countIf(${most})(domain, ${current} AND domain IN {competitorDomains:Array(String)})
         AS competitors,
       (SELECT count() FROM answers WHERE ${facts} AND ${current}) AS responses
  FROM citations WHERE ${facts}
 GROUP BY content_type`
}

const trendGroups = {
  brand: 'AND domain IN {ownDomains:Array(String)}',
  competitors: 'AND domain IN {competitorDomains:Array(String)}',
  'top-domains': `AND domain IN (
    SELECT domain FROM citations WHERE FACTS AND ${ofKnownSite} GROUP BY domain ORDER BY count() DESC, domain LIMIT 10)`,
} as const

export type TrendGroup = keyof typeof trendGroups
export const trendGroupNames = Object.keys(trendGroups) as TrendGroup[]

export function trend(facts: string, group: TrendGroup, interval: HistoryInterval): string {
  const day = bucketDay[interval]
  return `
SELECT toString(${day}) AS date, count() AS citationCount
  FROM citations WHERE ${facts} ${trendGroups[group].replace('FACTS', facts)}
 GROUP BY ${day}`
}

/** The latest imported text of one page, else the text that an audit read. */
export const pageContent = `
SELECT url, title, content, toUnixTimestamp64Milli(fetched_at) AS fetchedMs
  FROM page_contents
 WHERE project_id = {project:UUID} AND url IN ${addressesOf('[{url:String}]')}
 ORDER BY origin, fetched_at DESC, url, content
 LIMIT 1`
