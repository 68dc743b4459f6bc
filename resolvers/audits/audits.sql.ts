import { follows, sortedBy } from '../shared/lists/keyset.ts'

/** Statements over audits. Every value is bound. */

/** Pages of each audit that still wait. `$1` are audits. */
export const auditProgress = `
SELECT "auditId" AS id, count(*)::int AS queued
  FROM "AuditPage" WHERE "auditId" = ANY($1::uuid[]) AND status = 'queued' GROUP BY 1`

/** The newest completed audit that judged each page. `$1` are pages. */
export const newestJudging = `
SELECT DISTINCT ON (p."pageId") p."pageId", p."auditId"
  FROM "AuditPage" p
  JOIN "Audit" a ON a.id = p."auditId" AND a.status = 'completed'
 WHERE p."pageId" = ANY($1::uuid[]) AND p.status = 'completed'
 ORDER BY p."pageId", a.seq DESC`

/** Locks one audit of a project. `$1` is the project, `$2` the audit. */
export const lockedAudit = `
SELECT id FROM "Audit" WHERE "projectId" = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`

/** The part of each page of audits in the scores, with its checks that count. `$1` are audits. */
export const countedChecks = `
SELECT "auditId", findings->>'standing' AS standing, findings->'counted' AS checks
  FROM "AuditPage" WHERE "auditId" = ANY($1::uuid[]) AND findings ? 'counted'`

/** Checks of the site that count in audits. `$1` are audits. */
export const countedOfSite = `
SELECT id, coalesce(site->'counted', '[]') AS counted FROM "Audit" WHERE id = ANY($1::uuid[])`

const shown =
  'p."auditId", p."pageId", p.url, p.address, p.status, p."httpStatus", p.scores, p."issueCount"'

const byUrl = [
  { column: 'p.url', type: 'text' },
  { column: 'p."pageId"', type: 'uuid' },
]

/** A page of the pages of each audit, by URL. `$1` are audits, `$2` and `$3` limit and offset, `$4` the row before. */
export const pagesOfEach = `
SELECT p.*
  FROM unnest($1::uuid[]) AS asked(id)
 CROSS JOIN LATERAL (
   SELECT ${shown} FROM "AuditPage" p
    WHERE p."auditId" = asked.id AND ${follows(byUrl, '$4')} ORDER BY ${sortedBy(byUrl)} LIMIT $2 OFFSET $3) p`

const newestFirst = [{ column: 'a.seq', type: 'bigint', isDescending: true }] as const

/** The newest completed audits of each page. `$1` are pages, `$2` and `$3` limit and offset of each, `$4` the row before. */
export const newestOfPages = `
SELECT p.*
  FROM unnest($1::uuid[]) AS asked(id)
 CROSS JOIN LATERAL (
   SELECT ${shown}, a.seq::float8 AS "auditSeq",
          (SELECT count(*)::int FROM "AuditPage" c JOIN "Audit" o ON o.id = c."auditId" AND o.status = 'completed'
            WHERE c."pageId" = asked.id) AS total FROM "AuditPage" p
     JOIN "Audit" a ON a.id = p."auditId" AND a.status = 'completed'
    WHERE p."pageId" = asked.id AND ${follows(newestFirst, '$4')} ORDER BY ${sortedBy(newestFirst)} LIMIT $2 OFFSET $3) p`

/** What audits found at pages. `$1` are audits and `$2` their pages, pair by pair. */
export const findingsOf = `
SELECT p."auditId", p."pageId", a."projectId", p.findings->'findings' AS findings, p.findings->'counted' AS counted
  FROM unnest($1::uuid[], $2::uuid[]) AS asked("auditId", "pageId")
  JOIN "AuditPage" p ON p."auditId" = asked."auditId" AND p."pageId" = asked."pageId"
  JOIN "Audit" a ON a.id = p."auditId"
 WHERE p.findings ? 'counted'`

const worstFirst = [
  { column: 'l.state', type: '"ExternalLinkState"' },
  { column: 'l."pageCount"', type: 'int', isDescending: true },
  { column: 'l.address', type: 'text' },
] as const

/**
 * A page of the links to other sites of each audit: the broken first. `$1` are audits, `$2` and `$3` limit and offset,
 * `$4` the row before, `$5` states, null for all.
 */
export const externalLinksOfEach = `
SELECT l.*
  FROM unnest($1::uuid[]) AS asked(id)
 CROSS JOIN LATERAL (
   SELECT l.*, (SELECT count(*)::int FROM "ExternalLink" c
                 WHERE c."auditId" = asked.id AND ($5::text[] IS NULL OR c.state::text = ANY($5::text[]))) AS total
     FROM "ExternalLink" l
    WHERE l."auditId" = asked.id AND ($5::text[] IS NULL OR l.state::text = ANY($5::text[]))
      AND ${follows(worstFirst, '$4')}
    ORDER BY ${sortedBy(worstFirst)} LIMIT $2 OFFSET $3) l`
