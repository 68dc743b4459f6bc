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

/** Writes verdicts, scores and issue counts of pages. `$1` is the audit, `$2` a list of pages. */
export const writtenPages = `
UPDATE "AuditPage" p
   SET findings = r.findings, scores = r.scores, "issueCount" = r."issueCount"
  FROM jsonb_to_recordset($2::jsonb) AS r("pageId" uuid, findings jsonb, scores jsonb, "issueCount" int)
 WHERE p."auditId" = $1::uuid AND p."pageId" = r."pageId"`
