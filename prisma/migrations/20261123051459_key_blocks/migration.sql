-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "lastUsedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "KeyBlock" (
    "workspaceId" UUID NOT NULL,
    "apiKeyId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "KeyBlock_pkey" PRIMARY KEY ("workspaceId","apiKeyId")
);

-- CreateIndex
CREATE INDEX "KeyBlock_apiKeyId_idx" ON "KeyBlock"("apiKeyId");

-- CreateIndex
CREATE INDEX "ApiKey_userId_idx" ON "ApiKey"("userId");

-- AddForeignKey
ALTER TABLE "KeyBlock" ADD CONSTRAINT "KeyBlock_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "KeyBlock" ADD CONSTRAINT "KeyBlock_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A note of the last use changes nothing that a live stream rests on.
DROP TRIGGER "announce" ON "ApiKey";
CREATE TRIGGER "announce" AFTER DELETE OR UPDATE OF "userId", "projectId", "scopes", "capabilities", "expiresAt", "revokedAt"
  ON "ApiKey" FOR EACH ROW EXECUTE FUNCTION "announceKey"();

CREATE FUNCTION "announceKeyBlock"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'keyId', NEW."apiKeyId"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER INSERT ON "KeyBlock"
  FOR EACH ROW EXECUTE FUNCTION "announceKeyBlock"();
