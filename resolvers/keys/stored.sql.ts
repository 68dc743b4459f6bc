const stored = `k.id, k."userId", k."workspaceId", k."projectId", k.scopes, k.capabilities, k.kind::text AS kind, w.plan::text AS plan,
       k."revokedAt", k."lastUsedAt", k."firstKeyId"`

/** How long the token before counts beside the present one, for requests that were under way. */
const graceOfToken = `interval '10 minutes'`

/** The key or the session with the SHA-256 `$1`: a key, and the plan of its workspace. */
export const keyByHash = `
SELECT ${stored}, k."expiresAt", NULL::uuid AS "sessionId", NULL::timestamptz AS "rotatedAt"
  FROM "ApiKey" k
  JOIN "Workspace" w ON w.id = k."workspaceId"
 WHERE k.hash = $1
UNION ALL
SELECT ${stored}, least(k."expiresAt", s."expiresAt"), s.id, s."rotatedAt"
  FROM "Session" s
  JOIN "ApiKey" k ON k.id = s."apiKeyId"
  JOIN "Workspace" w ON w.id = k."workspaceId"
 WHERE s.hash = $1 OR (s."previousHash" = $1 AND s."rotatedAt" > now() - ${graceOfToken})`

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
