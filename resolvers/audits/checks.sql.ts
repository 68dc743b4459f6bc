import { isAi, pageKey } from './facts.sql.ts'

/** Statements over checks of all kinds, for any number of projects. Every value is bound. */

/**
 * Open issues by check, and the pages by what the newest completed audit that judged each decided: `evaluated` and
 * `failed` checks. Pages with the same verdict are one group. `$1` are projects.
 */
export const judgedPages = `
SELECT p.id AS "projectId",
       (SELECT coalesce(jsonb_object_agg(o."check", o.n), '{}')
          FROM (SELECT "check", count(*)::int AS n
                  FROM "Issue" WHERE "projectId" = p.id AND status = 'open' GROUP BY 1) o) AS "openIssues",
       (SELECT coalesce(jsonb_agg(g), '[]')
          FROM (SELECT judged.evaluated, judged.failed, jsonb_agg(page.url) AS urls
                  FROM "Page" page
                 CROSS JOIN LATERAL (
                   SELECT a.findings->'evaluated' AS evaluated,
                          jsonb_path_query_array(a.findings, '$.findings[*].check')
                            || coalesce(a.findings->'alsoFailed', '[]') AS failed
                     FROM "AuditPage" a
                     JOIN "Audit" audit ON audit.id = a."auditId" AND audit.status = 'completed'
                    WHERE a."pageId" = page.id AND a.status = 'completed' AND a.findings IS NOT NULL
                    ORDER BY audit.seq DESC LIMIT 1) judged
                 WHERE page."projectId" = p.id
                 GROUP BY 1, 2) g) AS groups
  FROM "Project" p WHERE p.id = ANY($1::uuid[])`

/** Own URLs that answers cite, and pages that AI crawlers read. `facts` is the WHERE clause of `factsOf`. */
export const seenPages = (facts: string) => `
SELECT toString(project_id) AS projectId, 'cited' AS fact, '' AS host, url AS page
  FROM citations WHERE ${facts} AND domain IN {domains:Array(String)}
 GROUP BY project_id, url
 UNION ALL
SELECT toString(project_id), 'crawled', host, ${pageKey} AS page
  FROM crawler_hits
 WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND ${isAi}
 GROUP BY project_id, host, page`
