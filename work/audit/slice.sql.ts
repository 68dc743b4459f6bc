/** Statements of the slices of an audit. Every value is bound. */

/** Locks a running audit. `$1` is the audit. */
export const lockedRunning = `
SELECT id FROM "Audit" WHERE id = $1::uuid AND status = 'running' FOR NO KEY UPDATE`

/** The next link target that an audit has not requested. `$1` is the audit. */
export const nextAddress = `
SELECT address FROM "AuditTarget" WHERE "auditId" = $1::uuid AND outcome IS NULL ORDER BY address LIMIT 1`
