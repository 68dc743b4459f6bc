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

/** The part of each page of an audit in the scores, with its checks that count. `$1` is the audit. */
export const countedChecks = `
SELECT findings->>'standing' AS standing, findings->'counted' AS checks
  FROM "AuditPage" WHERE "auditId" = $1::uuid AND findings ? 'counted'`

/** Checks of the site that count in an audit. `$1` is the audit. */
export const countedOfSite = `
SELECT coalesce(site->'counted', '[]') AS counted FROM "Audit" WHERE id = $1::uuid`
