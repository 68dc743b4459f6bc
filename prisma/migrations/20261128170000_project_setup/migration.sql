-- Where the set-up of a project is, and what its site proposes.
CREATE TYPE "SetupStep" AS ENUM ('brand', 'competitors', 'prompts', 'data', 'done');

CREATE TABLE "ProjectSetup" (
    "projectId" UUID NOT NULL,
    "step" "SetupStep" NOT NULL DEFAULT 'brand',
    "status" "JobStatus",
    "askedKeyId" UUID,
    "problem" TEXT,
    "pagesRead" INTEGER NOT NULL DEFAULT 0,
    "proposals" JSONB,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProjectSetup_pkey" PRIMARY KEY ("projectId")
);

CREATE INDEX "ProjectSetup_status_idx" ON "ProjectSetup"("status");

ALTER TABLE "ProjectSetup" ADD CONSTRAINT "ProjectSetup_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What models took for proposals. It counts under the caps of the project like the replies of runs.
CREATE TABLE "ProposalCost" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "cost" DOUBLE PRECISION NOT NULL,
    "endedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProposalCost_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "ProposalCost_projectId_endedAt_idx" ON "ProposalCost"("projectId", "endedAt");

ALTER TABLE "ProposalCost" ADD CONSTRAINT "ProposalCost_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
