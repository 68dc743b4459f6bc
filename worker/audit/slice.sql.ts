/** Statements of the slices of an audit. Every value is bound. */

/** Locks a running audit. `$1` is the audit. */
export const lockedRunning = `
SELECT id FROM "Audit" WHERE id = $1::uuid AND status = 'running' FOR NO KEY UPDATE`

/**
 * Records a page that an audit read, once and while the audit runs. A page of the catalog without title or description
 * gets them; the main text waits for its insert into the warehouse. `$1` and `$2` are audit and page, `$3` to `$5`
 * status, HTTP status and reading. `$6` to `$8` are title, description and text, null where the page has none.
 */
export const recordedPage = `
WITH running AS (${lockedRunning}
), recorded AS (
  UPDATE "AuditPage" p SET status = $3::"AuditPageStatus", "httpStatus" = $4::int, reading = $5::jsonb
    FROM running
   WHERE p."auditId" = running.id AND p."pageId" = $2::uuid AND p.status = 'queued'
  RETURNING p."auditId", p."pageId", p.url
), named AS (
  UPDATE "Page" p
     SET title = CASE WHEN p.title = '' THEN coalesce($6::text, '') ELSE p.title END,
         description = CASE WHEN p.description = '' THEN coalesce($7::text, '') ELSE p.description END
    FROM recorded
   WHERE p.id = recorded."pageId" AND (p.title = '' AND $6 <> '' OR p.description = '' AND $7 <> '')
), kept AS (
  INSERT INTO "AuditText" ("auditId", "pageId", url, title, content)
  SELECT "auditId", "pageId", url, coalesce($6::text, ''), $8::text FROM recorded WHERE $8::text IS NOT NULL
)
SELECT id FROM running`

/** The first texts of an audit that wait for the warehouse: some megabytes of them, at least one. `$1` is the audit. */
export const waitingTexts = `
SELECT t."pageId", t.url, t.title, t.content, t."readAt", a."projectId"
  FROM (SELECT *, sum(octet_length(content)) OVER (ORDER BY "pageId") - octet_length(content) AS before
          FROM "AuditText" WHERE "auditId" = $1::uuid) t
  JOIN "Audit" a ON a.id = t."auditId"
 WHERE t.before < 4000000
 ORDER BY t."pageId"`

/**
 * The origins of the pages of an audit. A page that robots.txt closes to us alone shows a fault of its origin; other
 * pages that were skipped show nothing. `$1` is the audit.
 */
export const pageOrigins = `
SELECT DISTINCT substring(coalesce(outcome #>> '{answer,address}', address) FROM '^[a-z]+://[^/?#]+') AS origin
  FROM (SELECT reading #> '{reading,outcome}' AS outcome, reading #>> '{reading,address}' AS address
          FROM "AuditPage" WHERE "auditId" = $1::uuid AND reading IS NOT NULL) p
 WHERE outcome ->> 'kind' <> 'skipped' OR outcome ->> 'reason' = 'robots'`

/** What pages of an audit link to. `$1` is the audit, `$2` are pages. */
export const pageLinks = `
SELECT url, reading #> '{document,links}' AS links, reading #> '{document,canonicals}' AS canonicals
  FROM "AuditPage" WHERE "auditId" = $1::uuid AND "pageId" = ANY($2::uuid[])`

/** Adds link targets. `$1` is the audit, `$2` are addresses. */
export const addedTargets = `
INSERT INTO "AuditTarget" ("auditId", address) SELECT $1::uuid, unnest($2::text[]) ON CONFLICT DO NOTHING`

/** The next link target that an audit has not requested. `$1` is the audit. */
export const nextAddress = `
SELECT address FROM "AuditTarget" WHERE "auditId" = $1::uuid AND outcome IS NULL ORDER BY address LIMIT 1`

/**
 * Lists the links of an audit's pages to other sites: each address once, with the pages that have it. Of each host the
 * `$3` addresses on most pages are asked, and `$2` of all hosts; five times as many are listed. `$1` is the audit.
 */
export const addedExternalLinks = `
INSERT INTO "ExternalLink" ("auditId", address, kinds, pages, "pageCount", state, reason)
SELECT $1::uuid, address, kinds, pages, "pageCount",
       (CASE WHEN is_asked AND place <= $2::int THEN 'queued' ELSE 'not_checked' END)::"ExternalLinkState",
       CASE WHEN is_asked AND place <= $2::int THEN NULL ELSE 'limit' END
  FROM (SELECT *, row_number() OVER (ORDER BY is_asked DESC, "pageCount" DESC, address) AS place
          FROM (SELECT *, row_number() OVER (
                          PARTITION BY substring(address FROM '^[a-z]+://([^/?#]+)')
                          ORDER BY "pageCount" DESC, address) <= $3::int AS is_asked
                  FROM (SELECT l.address, array_agg(DISTINCT l.kind ORDER BY l.kind) AS kinds,
                               (array_agg(DISTINCT p.url ORDER BY p.url))[1:20] AS pages,
                               count(DISTINCT p.url)::int AS "pageCount"
                          FROM "AuditPage" p
                         CROSS JOIN LATERAL jsonb_to_recordset(
                           CASE jsonb_typeof(p.reading #> '{document,externalLinks}')
                             WHEN 'array' THEN p.reading #> '{document,externalLinks}' ELSE '[]' END
                         ) AS l(address text, kind text)
                         WHERE p."auditId" = $1::uuid
                         GROUP BY l.address) held) of_host) ranked
 WHERE place <= 5 * $2::int`
