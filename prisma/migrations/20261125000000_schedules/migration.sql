-- CreateEnum
CREATE TYPE "RunVisibility" AS ENUM ('whole', 'by_answer');

-- DropIndex
DROP INDEX "Ask_runId_promptId_providerKeyId_repetition_key";

-- AlterTable
ALTER TABLE "Ask" ADD COLUMN     "answerId" UUID,
ADD COLUMN     "askedAt" TIMESTAMPTZ(3),
ADD COLUMN     "locationId" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
ADD COLUMN     "place" JSONB;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "language" TEXT,
ADD COLUMN     "scheduleId" UUID,
ADD COLUMN     "visibility" "RunVisibility" NOT NULL DEFAULT 'whole';

-- CreateTable
CREATE TABLE "Schedule" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "cron" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL,
    "spreadMinutes" INTEGER NOT NULL,
    "promptIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "topicIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "keys" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "locationIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "language" TEXT,
    "repetitions" INTEGER NOT NULL DEFAULT 1,
    "visibility" "RunVisibility" NOT NULL DEFAULT 'whole',
    "nextRunAt" TIMESTAMPTZ(3),
    "problem" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Schedule_nextRunAt_idx" ON "Schedule"("nextRunAt");

-- CreateIndex
CREATE UNIQUE INDEX "Schedule_projectId_name_key" ON "Schedule"("projectId", "name");

-- CreateIndex
CREATE INDEX "Ask_answerId_idx" ON "Ask"("answerId");

-- CreateIndex
CREATE UNIQUE INDEX "Ask_runId_promptId_providerKeyId_locationId_repetition_key" ON "Ask"("runId", "promptId", "providerKeyId", "locationId", "repetition");

-- CreateIndex
CREATE INDEX "Run_scheduleId_createdAt_idx" ON "Run"("scheduleId", "createdAt");

-- AddForeignKey
ALTER TABLE "Schedule" ADD CONSTRAINT "Schedule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_scheduleId_fkey" FOREIGN KEY ("scheduleId") REFERENCES "Schedule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

SELECT "raiseFor"('Schedule', '"raiseChanged"(''catalog'')');
