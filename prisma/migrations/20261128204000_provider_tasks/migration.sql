-- AlterEnum
ALTER TYPE "AnswerProvider" ADD VALUE 'cloro';
ALTER TYPE "AnswerProvider" ADD VALUE 'brightdata';
ALTER TYPE "AnswerProvider" ADD VALUE 'oxylabs';
ALTER TYPE "AnswerProvider" ADD VALUE 'olostep';

-- CreateEnum
CREATE TYPE "TaskState" AS ENUM ('submitting', 'queued', 'running', 'done', 'failed');

-- DropIndex
DROP INDEX "Ask_runId_promptId_providerKeyId_locationId_repetition_key";

-- AlterTable
ALTER TABLE "Ask" ADD COLUMN     "unitPrice" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "ProviderKey" ADD COLUMN     "surfaces" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "unitPrice" DOUBLE PRECISION;

-- CreateTable
CREATE TABLE "ProviderTask" (
    "id" UUID NOT NULL,
    "askId" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "taskId" TEXT,
    "state" "TaskState" NOT NULL DEFAULT 'submitting',
    "looks" INTEGER NOT NULL DEFAULT 0,
    "expectedCost" DOUBLE PRECISION,
    "submittedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "nextLookAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ProviderTask_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ProviderTask_askId_key" ON "ProviderTask"("askId");

-- CreateIndex
CREATE INDEX "ProviderTask_runId_nextLookAt_idx" ON "ProviderTask"("runId", "nextLookAt");

-- CreateIndex
CREATE UNIQUE INDEX "Ask_runId_promptId_providerKeyId_model_locationId_repetitio_key" ON "Ask"("runId", "promptId", "providerKeyId", "model", "locationId", "repetition");

-- AddForeignKey
ALTER TABLE "ProviderTask" ADD CONSTRAINT "ProviderTask_askId_fkey" FOREIGN KEY ("askId") REFERENCES "Ask"("id") ON DELETE CASCADE ON UPDATE CASCADE;
