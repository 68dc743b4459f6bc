/** Statements of the end of an audit. Every value is bound. */

/** Locks the project, then the audit, while it runs. `$1` is the audit. */
export const lockedRun = `
SELECT a.id, a.status::text
  FROM "Audit" a JOIN "Project" p ON p.id = a."projectId"
 WHERE a.id = $1::uuid
   FOR NO KEY UPDATE`

/** Writes issues; `$1` is a list of them. Evidence stays where the list has none. */
export const writtenIssues = `
INSERT INTO "Issue" (id, "projectId", "pageId", origin, "check", url, severity, status, resolution, "affectedCount",
  reach, evidence, regressions, "decidedBy", "ignoredReason", "firstSeenAt", "lastSeenAt", "openedAt", "resolvedAt")
SELECT id, "projectId", "pageId", origin, "check", url, severity::"Severity", status::"IssueStatus",
  resolution::"IssueResolution", "affectedCount", reach, coalesce(evidence, '[]'), regressions, "decidedBy",
  "ignoredReason", "firstSeenAt", "lastSeenAt", "openedAt", "resolvedAt"
  FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, "projectId" uuid, "pageId" uuid, origin text, "check" text,
  url text, severity text, status text, resolution text, "affectedCount" int, reach bigint, evidence jsonb,
  regressions int, "decidedBy" bigint, "ignoredReason" text, "firstSeenAt" timestamptz, "lastSeenAt" timestamptz,
  "openedAt" timestamptz, "resolvedAt" timestamptz)
ON CONFLICT (id) DO UPDATE SET
  url = excluded.url, severity = excluded.severity, status = excluded.status, resolution = excluded.resolution,
  "affectedCount" = excluded."affectedCount", reach = excluded.reach,
  evidence = CASE WHEN excluded.evidence = '[]' AND excluded."lastSeenAt" = "Issue"."lastSeenAt"
                  THEN "Issue".evidence ELSE excluded.evidence END,
  regressions = excluded.regressions, "decidedBy" = excluded."decidedBy",
  "ignoredReason" = excluded."ignoredReason", "lastSeenAt" = excluded."lastSeenAt",
  "openedAt" = excluded."openedAt", "resolvedAt" = excluded."resolvedAt"`

/** Keeps the verdicts of pages until the end of the audit. `$1` is the audit, `$2` a list of pages. */
export const judgedPages = `
UPDATE "AuditPage" p SET findings = r.findings
  FROM jsonb_to_recordset($2::jsonb) AS r("pageId" uuid, findings jsonb)
 WHERE p."auditId" = $1::uuid AND p."pageId" = r."pageId"`

/** Writes scores, issue counts and the checks that count of pages. `$1` is the audit, `$2` a list of pages. */
export const scoredPages = `
UPDATE "AuditPage" p
   SET findings = p.findings || jsonb_build_object('counted', r.counted), scores = r.scores,
       "issueCount" = jsonb_array_length(r.counted)
  FROM jsonb_to_recordset($2::jsonb) AS r("pageId" uuid, counted jsonb, scores jsonb)
 WHERE p."auditId" = $1::uuid AND p."pageId" = r."pageId"`

/**
 * Resolves open issues of pages that were removed, and of checks that the catalogue no longer has. `$1` is the project,
 * `$2` the time, `$3` the checks of the catalogue.
 */
export const lostIssues = `
UPDATE "Issue" i
   SET status = 'resolved', "resolvedAt" = $2::timestamptz,
       resolution = CASE WHEN "isRemoved" THEN 'page_removed' ELSE 'check_retired' END::"IssueResolution"
  FROM (SELECT o.id, o."pageId" IS NOT NULL AND p.id IS NULL AS "isRemoved"
          FROM "Issue" o LEFT JOIN "Page" p ON p.id = o."pageId" AND p."projectId" = o."projectId"
         WHERE o."projectId" = $1::uuid AND o.status = 'open') lost
 WHERE i.id = lost.id AND ("isRemoved" OR i."check" <> ALL($3::text[]))`
