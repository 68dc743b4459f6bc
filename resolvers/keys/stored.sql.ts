/** The key with the SHA-256 `$1`. */
export const keyByHash = `
SELECT id, "userId", "workspaceId", "projectId", scopes, capabilities, "expiresAt", "revokedAt", "lastUsedAt", "firstKeyId"
  FROM "ApiKey"
 WHERE hash = $1`

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
