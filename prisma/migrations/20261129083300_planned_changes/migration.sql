-- Changes that AI clients plan, and that a person approves before they are made.
CREATE TYPE "PlannedDecision" AS ENUM ('approved', 'refused');

CREATE TABLE "PlannedChange" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "apiKeyId" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "said" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decision" "PlannedDecision",
    "decidedAt" TIMESTAMPTZ(3),
    "decidedById" UUID,
    "appliedAt" TIMESTAMPTZ(3),
    "staleAt" TIMESTAMPTZ(3),
    "result" JSONB,

    CONSTRAINT "PlannedChange_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "PlannedChange_projectId_idx" ON "PlannedChange"("projectId");

CREATE INDEX "PlannedChange_apiKeyId_idx" ON "PlannedChange"("apiKeyId");

CREATE INDEX "PlannedChange_createdAt_idx" ON "PlannedChange"("createdAt");

ALTER TABLE "PlannedChange" ADD CONSTRAINT "PlannedChange_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "PlannedChange" ADD CONSTRAINT "PlannedChange_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;
