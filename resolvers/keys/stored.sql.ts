/** The key with the SHA-256 `$1`. */
export const keyByHash = `
SELECT id, "userId", "workspaceId", "projectId", scopes, capabilities, "expiresAt", "revokedAt", "lastUsedAt", "firstKeyId"
  FROM "ApiKey"
 WHERE hash = $1`

/**
 * Notes that the key `$1` was used, unless a use in the `$2` milliseconds before is noted. It waits for no lock: whoever holds
 * the row would hold up the connection too, and the next use is noted as well.
 */
export const noteUse = `
UPDATE "ApiKey" SET "lastUsedAt" = now()
 WHERE id = (
   SELECT id FROM "ApiKey"
    WHERE id = $1 AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= now() - $2 * interval '1 millisecond')
      FOR NO KEY UPDATE SKIP LOCKED)`
