/** The key with the SHA-256 `$1`. */
export const keyByHash = `
SELECT id, "userId", "workspaceId", "projectId", scopes, capabilities, "expiresAt", "revokedAt", "lastUsedAt", "firstKeyId"
  FROM "ApiKey"
 WHERE hash = $1`
