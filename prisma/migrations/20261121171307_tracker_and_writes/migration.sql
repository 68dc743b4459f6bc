-- AlterTable
ALTER TABLE "Prompt" ADD COLUMN     "isImported" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "IngestKey" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "name" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "IngestKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotentReply" (
    "apiKeyId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotentReply_pkey" PRIMARY KEY ("apiKeyId","key")
);

-- CreateTable
CREATE TABLE "AccessLog" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "format" TEXT NOT NULL,
    "firstLineHash" TEXT NOT NULL,
    "readHash" TEXT NOT NULL,
    "readBytes" BIGINT NOT NULL DEFAULT 0,
    "readLines" BIGINT NOT NULL DEFAULT 0,
    "kept" BIGINT NOT NULL DEFAULT 0,
    "dropped" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AccessLog_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "IngestKey_workspaceId_idx" ON "IngestKey"("workspaceId");

-- CreateIndex
CREATE INDEX "IdempotentReply_createdAt_idx" ON "IdempotentReply"("createdAt");

-- CreateIndex
CREATE INDEX "AccessLog_projectId_firstLineHash_idx" ON "AccessLog"("projectId", "firstLineHash");

-- AddForeignKey
ALTER TABLE "IngestKey" ADD CONSTRAINT "IngestKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IdempotentReply" ADD CONSTRAINT "IdempotentReply_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AccessLog" ADD CONSTRAINT "AccessLog_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
