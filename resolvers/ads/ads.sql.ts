import { caseFold } from '../shared/case-fold.sql.ts'

/** Statements over ads in answers. `facts` is the WHERE clause of `manyFactsWhere`; every value is bound. */

/** The rows of a page, and the list's first one, so that totals are known on an empty page too. */
const onPage =
  'place = 1 OR (place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64})'

/** The answers of each project in which ads were looked for, and those that showed one. */
export function adCounts(facts: string): string {
  return `
SELECT toString(project_id) AS projectId, sum(looked) AS measured, sum(showing) AS withAds
  FROM (
    SELECT project_id, countIf(ads_measured = 1) AS looked, 0 AS showing
      FROM answers WHERE ${facts} GROUP BY project_id
     UNION ALL
    SELECT project_id, 0, uniqExact(answer_id)
      FROM ad_impressions WHERE ${facts} GROUP BY project_id)
 GROUP BY project_id`
}

/** A page of the ads of each project, those with most impressions first. All rows of one ad say the same of it. */
export function adPage(facts: string): string {
  return `
SELECT toString(project_id) AS projectId, toString(ad_id) AS id, advertiser, site AS domain,
       headline AS title, address AS url, shownBy AS platform, toString(prompt) AS promptId,
       impressions, toUnixTimestamp64Milli(first) AS firstMs, toUnixTimestamp64Milli(last) AS lastMs,
       total, place
  FROM (
    SELECT *, count() OVER (PARTITION BY project_id) AS total,
           row_number() OVER (
             PARTITION BY project_id
             ORDER BY impressions DESC, advertiser, headline, toString(ad_id)) AS place
      FROM (
        SELECT project_id, ad_id, any(a.advertiser) AS advertiser, any(a.domain) AS site,
               any(a.title) AS headline, any(a.url) AS address, any(a.platform) AS shownBy,
               any(a.prompt_id) AS prompt, count() AS impressions,
               min(collected_at) AS first, max(collected_at) AS last
          FROM ad_impressions AS a WHERE ${facts} GROUP BY project_id, ad_id))
 WHERE ${onPage}
 ORDER BY place`
}

/** A page of the advertisers of each project, with all that spellings and domains of each are found. */
export function advertiserPage(facts: string): string {
  return `
SELECT toString(project_id) AS projectId, spellings, domains, impressions, responses,
       allImpressions, total, place
  FROM (
    SELECT *, count() OVER (PARTITION BY project_id) AS total,
           sum(impressions) OVER (PARTITION BY project_id) AS allImpressions,
           row_number() OVER (PARTITION BY project_id ORDER BY impressions DESC, compared) AS place
      FROM (
        SELECT project_id, ${caseFold('advertiser')} AS compared, sumMap(map(advertiser, 1)) AS spellings,
               sumMap(map(domain, 1)) AS domains, count() AS impressions,
               uniqExact(answer_id) AS responses
          FROM ad_impressions WHERE ${facts} GROUP BY project_id, compared))
 WHERE ${onPage}
 ORDER BY place`
}
