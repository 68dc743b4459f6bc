/** The first day with data of all projects, after the removal of days before `$1`. */
export const moveFirstDay =
  'UPDATE "Project" SET "dataAvailableFrom" = $1::date WHERE "dataAvailableFrom" < $1::date'

/** Ends the kept replies about texts of pages, of the projects `$1`. */
export const raiseContents = `SELECT "raiseVersion"(id, 'contents')::text FROM unnest($1::uuid[]) AS id`

/**
 * Removes up to `$2` ended audits that were created before `$1`. An audit stays while it is the newest of its project,
 * or the newest of one of its pages. Reports show it as the state of today.
 */
export const deleteOldAudits = `
DELETE FROM "Audit" WHERE id IN (
  SELECT a.id FROM "Audit" a
   WHERE a."createdAt" < $1::date AND a.status IN ('completed', 'failed')
     AND EXISTS (SELECT 1 FROM "Audit" b
                  WHERE b."projectId" = a."projectId" AND b.seq > a.seq AND b.status = 'completed')
     AND NOT EXISTS (
       SELECT 1 FROM "AuditPage" p
        WHERE p."auditId" = a.id AND NOT EXISTS (
          SELECT 1 FROM "AuditPage" q JOIN "Audit" b ON b.id = q."auditId"
           WHERE q."pageId" = p."pageId" AND b.seq > a.seq AND b.status = 'completed'))
   ORDER BY a.seq LIMIT $2)`

/** Removes up to `$2` deliveries from before `$1` that wait for nothing. */
export const deleteOldDeliveries = `
DELETE FROM "Delivery" WHERE id IN (
  SELECT id FROM "Delivery" WHERE "createdAt" < $1::date AND state <> 'waiting'
   ORDER BY "createdAt" LIMIT $2)`

/** Removes up to `$2` entries from before `$1`. */
export const deleteOldEntries = `
DELETE FROM "AuditEntry" WHERE id IN (
  SELECT id FROM "AuditEntry" WHERE at < $1::date ORDER BY id LIMIT $2)`
