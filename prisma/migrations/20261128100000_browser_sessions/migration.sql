-- A session of a browser: its cookie holds a token, of which only the hash is here. It acts with a key: the one that a person
-- pasted, or one that was made for the sign-in of a person and that nobody else knows.
CREATE TABLE "Session" (
    "id" UUID NOT NULL,
    "apiKeyId" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "previousHash" TEXT,
    "browser" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rotatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Session_hash_key" ON "Session"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "Session_previousHash_key" ON "Session"("previousHash");

-- CreateIndex
CREATE INDEX "Session_apiKeyId_idx" ON "Session"("apiKeyId");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each process of the API remembers sessions with their keys.
CREATE FUNCTION "announceSession"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'keyId', OLD."apiKeyId"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE OR DELETE ON "Session"
  FOR EACH ROW EXECUTE FUNCTION "announceSession"();
