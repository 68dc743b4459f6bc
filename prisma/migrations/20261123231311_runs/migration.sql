-- CreateEnum
CREATE TYPE "AskState" AS ENUM ('waiting', 'answered', 'absent', 'failed');

-- CreateTable
CREATE TABLE "Run" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "status" "JobStatus" NOT NULL DEFAULT 'queued',
    "repetitions" INTEGER NOT NULL,
    "expectedCost" DOUBLE PRECISION,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "completedAt" TIMESTAMPTZ(3),
    "deadlineAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Ask" (
    "id" UUID NOT NULL,
    "runId" UUID NOT NULL,
    "promptId" UUID NOT NULL,
    "prompt" TEXT NOT NULL,
    "providerKeyId" UUID NOT NULL,
    "provider" "AnswerProvider" NOT NULL,
    "platform" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "repetition" INTEGER NOT NULL,
    "state" "AskState" NOT NULL DEFAULT 'waiting',
    "reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "cost" DOUBLE PRECISION,
    "inputTokens" INTEGER,
    "outputTokens" INTEGER,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Ask_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Run_projectId_createdAt_idx" ON "Run"("projectId", "createdAt");

-- CreateIndex
CREATE INDEX "Ask_runId_state_idx" ON "Ask"("runId", "state");

-- CreateIndex
CREATE UNIQUE INDEX "Ask_runId_promptId_providerKeyId_repetition_key" ON "Ask"("runId", "promptId", "providerKeyId", "repetition");

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Ask" ADD CONSTRAINT "Ask_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT "raiseFor"('Run', '"raiseChanged"(''catalog'')');
