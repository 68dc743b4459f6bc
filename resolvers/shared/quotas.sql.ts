/** The prompts of each workspace that count toward its allowance. */
export const countedPrompts = `
SELECT p."workspaceId", count(*)::int AS prompts
  FROM "Project" p
  JOIN "Prompt" q ON q."projectId" = p.id
 WHERE p."workspaceId" = ANY($1::uuid[]) AND q."isTracked" AND NOT q."isImported"
 GROUP BY p."workspaceId"`

/**
 * Audits and reports of each workspace since a moment, without those that the service itself failed. `$1` are
 * workspaces, `$2` is the moment.
 */
export const countedRuns = `
SELECT p."workspaceId",
       (count(*) FILTER (WHERE r.kind = 'audit'))::int AS audits,
       (count(*) FILTER (WHERE r.kind = 'report'))::int AS reports
  FROM "Project" p
  JOIN (SELECT 'audit' AS kind, "projectId", "createdAt", status, error FROM "Audit"
        UNION ALL
        SELECT 'report', "projectId", "createdAt", status, error FROM "Report") r ON r."projectId" = p.id
 WHERE p."workspaceId" = ANY($1::uuid[]) AND r."createdAt" >= $2::timestamptz
   AND NOT (r.status = 'failed' AND r.error IS NOT DISTINCT FROM 'internal')
 GROUP BY p."workspaceId"`

/** Locks the workspace: writers that use its allowance take turns. */
export const lockedWorkspace = `
SELECT id FROM "Workspace" WHERE id = $1::uuid FOR NO KEY UPDATE`
