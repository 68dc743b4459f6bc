-- CreateEnum
CREATE TYPE "FeedProblem" AS ENUM ('signInEnded', 'scopeMissing', 'accessDenied', 'notFound', 'apiDisabled', 'quota', 'unavailable');

-- CreateTable
CREATE TABLE "GoogleClient" (
    "workspaceId" UUID NOT NULL,
    "clientId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GoogleClient_pkey" PRIMARY KEY ("workspaceId")
);

-- CreateTable
CREATE TABLE "GoogleAccount" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "userId" UUID,
    "scopes" TEXT[],
    "sealed" BYTEA NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GoogleAccount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DataFeed" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" "ConnectionKind" NOT NULL,
    "name" TEXT NOT NULL,
    "label" TEXT,
    "accountId" UUID,
    "userId" UUID,
    "firstDay" DATE NOT NULL,
    "loadedFrom" DATE,
    "loadedTo" DATE,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "nextPullAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "pulledAt" TIMESTAMPTZ(3),
    "problem" "FeedProblem",
    "problemText" TEXT,
    "failingSince" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DataFeed_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "GoogleAccount_workspaceId_email_key" ON "GoogleAccount"("workspaceId", "email");

-- CreateIndex
CREATE INDEX "DataFeed_nextPullAt_idx" ON "DataFeed"("nextPullAt");

-- CreateIndex
CREATE UNIQUE INDEX "DataFeed_projectId_kind_key" ON "DataFeed"("projectId", "kind");

-- AddForeignKey
ALTER TABLE "GoogleClient" ADD CONSTRAINT "GoogleClient_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GoogleAccount" ADD CONSTRAINT "GoogleAccount_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DataFeed" ADD CONSTRAINT "DataFeed_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DataFeed" ADD CONSTRAINT "DataFeed_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "GoogleAccount"("id") ON DELETE SET NULL ON UPDATE CASCADE;
