-- AI clients that people connect by OAuth. Each acts with a key, so that lists, blocks, limits and the audit trail of keys hold.
CREATE TYPE "KeyKind" AS ENUM ('static', 'browser', 'connection');

ALTER TABLE "ApiKey" ADD COLUMN     "kind" "KeyKind" NOT NULL DEFAULT 'static';

UPDATE "ApiKey" SET "kind" = 'browser' WHERE "isSession";

ALTER TABLE "ApiKey" DROP COLUMN "isSession";

CREATE TABLE "ConnectedClient" (
    "id" UUID NOT NULL,
    "apiKeyId" UUID NOT NULL,
    "grantId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastRefreshAt" TIMESTAMPTZ(3),

    CONSTRAINT "ConnectedClient_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "ConnectedClient_apiKeyId_key" ON "ConnectedClient"("apiKeyId");

CREATE UNIQUE INDEX "ConnectedClient_grantId_key" ON "ConnectedClient"("grantId");

ALTER TABLE "ConnectedClient" ADD CONSTRAINT "ConnectedClient_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "OAuthClient" (
    "id" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "sealed" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastGrantAt" TIMESTAMPTZ(3),

    CONSTRAINT "OAuthClient_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "OAuthClient_createdAt_idx" ON "OAuthClient"("createdAt");

CREATE TABLE "OAuthRecord" (
    "kind" TEXT NOT NULL,
    "idHash" TEXT NOT NULL,
    "grantId" TEXT,
    "payload" JSONB NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "consumedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OAuthRecord_pkey" PRIMARY KEY ("kind","idHash")
);

CREATE INDEX "OAuthRecord_grantId_idx" ON "OAuthRecord"("grantId");

CREATE INDEX "OAuthRecord_expiresAt_idx" ON "OAuthRecord"("expiresAt");

-- A key ends in several ways: by hand, with a sign-in, with its user or project. Its grant, codes and tokens end with it.
CREATE FUNCTION "endGrant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "OAuthRecord" r USING "ConnectedClient" c WHERE c."apiKeyId" = OLD."id" AND r."grantId" = c."grantId";
  RETURN NEW;
END $$;

CREATE TRIGGER "endGrant" AFTER UPDATE OF "revokedAt" ON "ApiKey"
  FOR EACH ROW WHEN (NEW."kind" = 'connection' AND OLD."revokedAt" IS NULL AND NEW."revokedAt" IS NOT NULL)
  EXECUTE FUNCTION "endGrant"();
