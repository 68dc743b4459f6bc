/** The prompts of each workspace that count toward its allowance. */
export const countedPrompts = `
SELECT p."workspaceId", count(*)::int AS prompts
  FROM "Project" p
  JOIN "Prompt" q ON q."projectId" = p.id
 WHERE p."workspaceId" = ANY($1::uuid[]) AND q."isTracked" AND NOT q."isImported"
 GROUP BY p."workspaceId"`

/** All audits and reports, but those that the service itself failed. */
const runs = `
SELECT 'audit' AS kind, "projectId", "createdAt" FROM "Audit"
 WHERE NOT (status = 'failed' AND error IS NOT DISTINCT FROM 'internal')
UNION ALL
SELECT 'report', "projectId", "createdAt" FROM "Report"
 WHERE NOT (status = 'failed' AND error IS NOT DISTINCT FROM 'internal')`

/**
 * Audits and reports of each workspace in a UTC month, also of projects deleted since. `$1` are workspaces, `$2` is the
 * first moment of the month.
 */
export const countedRuns = `
SELECT "workspaceId", sum(audits)::int AS audits, sum(reports)::int AS reports
  FROM (SELECT p."workspaceId",
               count(*) FILTER (WHERE r.kind = 'audit') AS audits,
               count(*) FILTER (WHERE r.kind = 'report') AS reports
          FROM "Project" p
          JOIN (${runs}) r ON r."projectId" = p.id
         WHERE p."workspaceId" = ANY($1::uuid[]) AND r."createdAt" >= $2::timestamptz
         GROUP BY p."workspaceId"
        UNION ALL
        SELECT "workspaceId", audits, reports
          FROM "DeletedRuns"
         WHERE "workspaceId" = ANY($1::uuid[]) AND month = ($2::timestamptz AT TIME ZONE 'UTC')::date) counted
 GROUP BY "workspaceId"`

/** Keeps the audits and reports of a project in a UTC month, before its deletion. `$1` is the project, `$2` as above. */
export const keptRuns = `
INSERT INTO "DeletedRuns" ("workspaceId", month, audits, reports)
SELECT p."workspaceId", ($2::timestamptz AT TIME ZONE 'UTC')::date,
       count(*) FILTER (WHERE r.kind = 'audit'), count(*) FILTER (WHERE r.kind = 'report')
  FROM "Project" p
  JOIN (${runs}) r ON r."projectId" = p.id
 WHERE p.id = $1::uuid AND r."createdAt" >= $2::timestamptz
 GROUP BY p."workspaceId"
ON CONFLICT ("workspaceId", month) DO UPDATE
   SET audits = "DeletedRuns".audits + excluded.audits, reports = "DeletedRuns".reports + excluded.reports`

/** Locks the workspace: writers that use its allowance take turns. */
export const lockedWorkspace = `
SELECT id FROM "Workspace" WHERE id = $1::uuid FOR NO KEY UPDATE`
