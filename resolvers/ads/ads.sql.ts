import type { ManyFacts } from '../shared/slices.sql.ts'
import { caseFold } from '../shared/spellings/case-fold.sql.ts'

/** Statements over ads in answers, of several projects or of slices of projects; every value is bound. */

/** The rows of a page, and the list's first one, so that totals are known on an empty page too. */
const onPage =
  'place = 1 OR (place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64})'

/** The answers of each project in which ads were looked for, and those that showed one. */
export function adCounts(_where: string, facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, sum(looked) AS measured, sum(showing) AS withAds
  FROM (
    SELECT ${facts.owner}, countIf(ads_measured = 1) AS looked, 0 AS showing
      FROM ${facts.from('answers')} GROUP BY ${facts.owner}
     UNION ALL
    SELECT ${facts.owner}, 0, uniqExact(answer_id)
      FROM ${facts.from('ad_impressions')} GROUP BY ${facts.owner})
 GROUP BY ${facts.owner}`
}

/** A page of the ads of each project, those with most impressions first. All rows of one ad say the same of it. */
export function adPage(_where: string, facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, toString(ad_id) AS id, advertiser, site AS domain,
       headline AS title, address AS url, shownBy AS platform, toString(prompt) AS promptId,
       impressions, toUnixTimestamp64Milli(first) AS firstMs, toUnixTimestamp64Milli(last) AS lastMs,
       total, place
  FROM (
    SELECT *, count() OVER (PARTITION BY ${facts.owner}) AS total,
           row_number() OVER (
             PARTITION BY ${facts.owner}
             ORDER BY impressions DESC, advertiser, headline, toString(ad_id)) AS place
      FROM (
        SELECT ${facts.owner}, ad_id, any(a.advertiser) AS advertiser, any(a.domain) AS site,
               any(a.title) AS headline, any(a.url) AS address, any(a.platform) AS shownBy,
               any(a.prompt_id) AS prompt, count() AS impressions,
               min(collected_at) AS first, max(collected_at) AS last
          FROM ${facts.from('ad_impressions', 'a')} GROUP BY ${facts.owner}, ad_id))
 WHERE ${onPage}
 ORDER BY place`
}

/** A page of the advertisers of each project, with all that spellings and domains of each are found. */
export function advertiserPage(_where: string, facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, compared, spellings, domains, impressions, responses,
       allImpressions, total, place
  FROM (
    SELECT *, count() OVER (PARTITION BY ${facts.owner}) AS total,
           sum(impressions) OVER (PARTITION BY ${facts.owner}) AS allImpressions,
           row_number() OVER (PARTITION BY ${facts.owner} ORDER BY impressions DESC, compared) AS place
      FROM (
        SELECT ${facts.owner}, ${caseFold('advertiser')} AS compared, sumMap(map(advertiser, 1)) AS spellings,
               sumMap(map(domain, 1)) AS domains, count() AS impressions,
               uniqExact(answer_id) AS responses
          FROM ${facts.from('ad_impressions')} GROUP BY ${facts.owner}, compared))
 WHERE ${onPage}
 ORDER BY place`
}
