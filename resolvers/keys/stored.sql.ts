/** The key with the SHA-256 `$1`, and the plan of its workspace. */
export const keyByHash = `
SELECT k.id, k."userId", k."workspaceId", k."projectId", k.scopes, k.capabilities, k."isSession", w.plan::text AS plan,
       k."expiresAt", k."revokedAt", k."lastUsedAt", k."firstKeyId"
  FROM "ApiKey" k
  JOIN "Workspace" w ON w.id = k."workspaceId"
 WHERE k.hash = $1`

/**
 * Notes that the keys `$1` were used, each unless a use in the `$2` milliseconds before is noted. It waits for no lock: whoever
 * holds a row would hold up the connection too, and a later use is noted as well.
 */
export const noteUses = `
UPDATE "ApiKey" SET "lastUsedAt" = now()
 WHERE id IN (
   SELECT id FROM "ApiKey"
    WHERE id = ANY($1::uuid[])
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= now() - $2 * interval '1 millisecond')
      FOR NO KEY UPDATE SKIP LOCKED)`
