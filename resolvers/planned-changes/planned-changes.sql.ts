/** Locks a planned change until the transaction ends. */
export const lockedChange = `SELECT FROM "PlannedChange" WHERE "projectId" = $1::uuid AND id = $2::uuid FOR UPDATE`
