/** Whether a key `k` still works. */
const isAlive = `k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > now())`

/**
 * A key acts for its user in every workspace of the user; a bound key only in the workspace of its project. `m` is the
 * membership of the user, `b` the block of the key.
 */
const reach = `
  FROM "ApiKey" k
  JOIN "Membership" m ON m."userId" = k."userId"
   AND (k."projectId" IS NULL OR k."workspaceId" = m."workspaceId")
  LEFT JOIN "KeyBlock" b ON b."workspaceId" = m."workspaceId" AND b."apiKeyId" = k.id`

/** API keys that reach the workspaces `$1`, the newest first, with blocked keys. */
export const reachingKeys = `
SELECT m."workspaceId", k.id, k.name, k."lastFour", k.scopes, k.capabilities, k."createdAt",
       k."expiresAt", k."lastUsedAt", b."createdAt" AS "blockedAt",
       json_build_object('id', u.id, 'email', u.email, 'name', u.name) AS owner,
       json_build_object('id', w.id, 'name', w.name) AS "madeIn"
${reach}
  JOIN "User" u ON u.id = k."userId"
  JOIN "Workspace" w ON w.id = k."workspaceId"
 WHERE m."workspaceId" = ANY($1::uuid[]) AND k.kind <> 'browser' AND ${isAlive}
 ORDER BY k."createdAt" DESC, k.id`

/** Workspaces that the keys `$1` reach, beside those where the keys were made, by name. */
export const otherWorkspaces = `
SELECT k.id AS "keyId", w.id, w.name
${reach}
  JOIN "Workspace" w ON w.id = m."workspaceId"
 WHERE k.id = ANY($1::uuid[]) AND w.id <> k."workspaceId" AND b."apiKeyId" IS NULL AND ${isAlive}
 ORDER BY w.name, w.id`
