/** Statements over issues. Every value is bound. */

/** Locks one issue of a project. `$1` is the project, `$2` the issue. */
export const lockedIssue = `
SELECT id FROM "Issue" WHERE "projectId" = $1::uuid AND id = $2::uuid FOR UPDATE`
