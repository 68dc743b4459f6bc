/** The prompts of each workspace that count toward its allowance. */
export const countedPrompts = `
SELECT p."workspaceId", count(*)::int AS prompts
  FROM "Project" p
  JOIN "Prompt" q ON q."projectId" = p.id
 WHERE p."workspaceId" = ANY($1::uuid[]) AND q."isTracked" AND NOT q."isImported"
 GROUP BY p."workspaceId"`

/** Locks the workspace: writers that use its allowance take turns. */
export const lockedWorkspace = `
SELECT id FROM "Workspace" WHERE id = $1::uuid FOR NO KEY UPDATE`
