-- AlterTable
ALTER TABLE "Article" ADD COLUMN     "importId" UUID;

-- AlterTable
ALTER TABLE "DomainAuthority" ADD COLUMN     "importId" UUID;

-- AlterTable
ALTER TABLE "Page" ADD COLUMN     "importId" UUID;

-- CreateTable
CREATE TABLE "Import" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "file" TEXT,
    "userId" UUID,
    "keyId" UUID,
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),
    "undoneAt" TIMESTAMPTZ(3),
    "read" BIGINT NOT NULL DEFAULT 0,
    "loaded" BIGINT NOT NULL DEFAULT 0,
    "rejected" BIGINT NOT NULL DEFAULT 0,
    "firstDay" DATE,
    "lastDay" DATE,
    "loadSeq" INTEGER,
    "accessLogId" UUID,
    "resume" JSONB,
    "batches" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "connectionId" UUID,
    "madeLink" BOOLEAN NOT NULL DEFAULT false,
    "isSitemap" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ImportedRecord" (
    "importId" UUID NOT NULL,
    "table" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "before" JSONB,

    CONSTRAINT "ImportedRecord_pkey" PRIMARY KEY ("importId","table","key")
);

-- CreateIndex
CREATE INDEX "Import_projectId_startedAt_idx" ON "Import"("projectId", "startedAt");

-- AddForeignKey
ALTER TABLE "Import" ADD CONSTRAINT "Import_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportedRecord" ADD CONSTRAINT "ImportedRecord_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;
