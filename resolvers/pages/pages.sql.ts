import { countedCrawls, dailyRows } from '../shared/facts.sql.ts'
import { pathKey } from '../shared/spellings/paths.sql.ts'

/** Statements over pages of the site. Every value is bound. */

/** Pages and tracked pages by type. `$1` is the project. */
export const pageCounts = `
SELECT type AS key, count(*)::int AS count, (count(*) FILTER (WHERE "isTracked"))::int AS tracked
  FROM "Page" WHERE "projectId" = $1::uuid GROUP BY type ORDER BY 2 DESC, 1`

/** What audits say of pages. `$1` are pages. */
export const pageStates = `
SELECT p.id,
       (SELECT count(*)::int FROM "Issue" i
         WHERE i."projectId" = p."projectId" AND i."pageId" = p.id AND i.status = 'open') AS "openIssueCount",
       EXISTS (SELECT FROM "AuditPage" a JOIN "Audit" audit ON audit.id = a."auditId"
                WHERE a."pageId" = p.id AND a.status = 'queued'
                  AND audit.status IN ('queued', 'running')) AS "isBeingAudited"
  FROM "Page" p WHERE p.id = ANY($1::uuid[])`

/** How many pages have an open issue. `$1` is the project. */
export const pagesWithIssues = `
SELECT count(*)::int AS count
  FROM "Page" p
 WHERE p."projectId" = $1::uuid
   AND EXISTS (SELECT FROM "Issue" i
                WHERE i."projectId" = $1::uuid AND i."pageId" = p.id AND i.status = 'open')`

/**
 * Sitemap URLs, crawled or not. `$1` is the project, `$2` and `$3` are crawled hosts and paths. `$4` filters by host,
 * or is null; `$5` and `$6` are limit and offset.
 */
export const sitemapBeside = `
WITH asked AS MATERIALIZED (
  SELECT s.url, s.host, s.path, c.path IS NOT NULL AS crawled
    FROM "SitemapUrl" s
    LEFT JOIN unnest($2::text[], $3::text[]) AS c(host, path) ON c.host = s.host AND c.path = s.path
   WHERE s."projectId" = $1::uuid AND ($4::text[] IS NULL OR s.host = ANY($4::text[])))
SELECT (SELECT count(*)::int FROM asked) AS "sitemapUrls",
       (SELECT count(*)::int FROM asked WHERE crawled) AS "crawledUrls",
       coalesce((
         SELECT json_agg(row ORDER BY row.url)
           FROM (SELECT url, host, path FROM asked WHERE NOT crawled
                  ORDER BY url LIMIT $5 OFFSET $6) AS row), '[]') AS uncrawled`

/** Crawled pages; `crawls` is the WHERE clause. */
export const crawledPages = (crawls: string) => `
SELECT DISTINCT host, ${pathKey('path')} AS page FROM crawler_hits WHERE ${crawls}`

/** Time of the last crawl of each page, up to a day. */
export const lastCrawls = `
SELECT host, ${pathKey('path')} AS page, toUnixTimestamp64Milli(max(timestamp)) AS lastMs
  FROM crawler_hits
 WHERE project_id = {project:UUID} AND day <= {to:Date} AND ${countedCrawls}
   AND host IN {hosts:Array(String)} AND page IN {pages:Array(String)}
 GROUP BY host, page`

/** Citations of URLs by day; `facts` is the WHERE clause of citations of several projects. */
export const citationDays = (facts: string) => `
SELECT toString(project_id) AS projectId, url, toString(day) AS date, count() AS count
  FROM citations WHERE ${facts} AND domain IN {domains:Array(String)} AND url IN {urls:Array(String)}
 GROUP BY project_id, url, day`

/** Answers that cite own URLs by platform, with the day of the newest, for several projects. */
export const citationsByPlatform = (facts: string) => `
SELECT toString(project_id) AS projectId, url, platform, count() AS answers, toString(max(day)) AS lastDay
  FROM citations
 WHERE ${facts} AND domain IN {domains:Array(String)} AND url IN {urls:Array(String)}
 GROUP BY project_id, url, platform
 ORDER BY answers DESC, platform`

/** Crawls of pages by day and crawler, with the crawler's latest name. */
export const crawlDays = (crawls: string) => `
SELECT toString(project_id) AS projectId, host, ${pathKey('path')} AS page, toString(day) AS date,
       bot_id AS botId, argMax(bot_name, timestamp) AS botName,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs, count() AS visits
  FROM crawler_hits WHERE ${crawls} AND page IN {pages:Array(String)}
 GROUP BY project_id, host, page, day, bot_id`

const ofProjects = 'project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date}'

/** Sessions that AI assistants sent to pages, by day and platform. A host may be empty. */
export const referralDays = `
SELECT toString(project_id) AS projectId, host, ${pathKey('w.page')} AS path, toString(day) AS date,
       platform, sum(w.sessions) AS sessions
  FROM web_analytics AS w FINAL
 WHERE ${ofProjects} AND ${dailyRows} AND platform != '' AND w.sessions > 0
   AND host IN {hosts:Array(String)} AND w.page != '' AND path IN {pages:Array(String)}
 GROUP BY project_id, host, path, day, platform`

/** Clicks and impressions of pages in Google by day. */
export const clickDays = `
SELECT toString(project_id) AS projectId, lower(domain(s.page)) AS host,
       ${pathKey('path(s.page)')} AS path, toString(day) AS date,
       sum(s.clicks) AS clicks, sum(s.impressions) AS impressions
  FROM search_console AS s FINAL
 WHERE ${ofProjects} AND engine = 'google' AND ${dailyRows} AND host IN {hosts:Array(String)} AND path IN {pages:Array(String)}
 GROUP BY project_id, host, path, day`
