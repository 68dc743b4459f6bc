import { olderAudit } from '../../resolvers/retention/retention.sql.ts'

/** The first day with data of the projects `$2`, or of all where it is null, after the removal of days before `$1`. */
export const moveFirstDay = `UPDATE "Project" SET "dataAvailableFrom" = $1::date
  WHERE "dataAvailableFrom" < $1::date AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[]))`

/** Ends the kept replies about texts of pages, of the projects `$1`. */
export const raiseContents = `SELECT "raiseVersion"(id, 'contents')::text FROM unnest($1::uuid[]) AS id`

/** Removes up to `$2` ended audits that were created before `$1`, of the projects `$3`, or of all where it is null. */
export const deleteOldAudits = `
DELETE FROM "Audit" WHERE id IN (
  SELECT a.id FROM "Audit" a
   WHERE ($3::uuid[] IS NULL OR a."projectId" = ANY($3::uuid[])) AND ${olderAudit}
   ORDER BY a.seq LIMIT $2)`

/** Removes up to `$2` deliveries from before `$1` that wait for nothing. */
export const deleteOldDeliveries = `
DELETE FROM "Delivery" WHERE id IN (
  SELECT id FROM "Delivery" WHERE "createdAt" < $1::date AND state <> 'waiting'
   ORDER BY "createdAt" LIMIT $2)`

/** Removes up to `$2` entries from before `$1`, of the workspace `$3`, or of all where it is null. */
export const deleteOldEntries = `
DELETE FROM "AuditEntry" WHERE id IN (
  SELECT id FROM "AuditEntry"
   WHERE at < $1::date AND ($3::uuid IS NULL OR "workspaceId" = $3::uuid)
   ORDER BY id LIMIT $2)`
