/** The hash of the key that an access token with the SHA-256 `$1` acts with, for the audience `$2`. */
export const keyOfToken = `
SELECT k.hash
  FROM "OAuthRecord" t
  JOIN "ConnectedClient" c ON c."grantId" = t."grantId"
  JOIN "ApiKey" k ON k.id = c."apiKeyId"
 WHERE t.kind = 'AccessToken' AND t."idHash" = $1 AND t."expiresAt" > now() AND t.payload->>'aud' = $2`
