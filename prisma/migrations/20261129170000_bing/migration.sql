-- Clicks and impressions in Bing, which Bing Webmaster Tools gives to a key of the workspace.
ALTER TYPE "ConnectionKind" ADD VALUE 'bingWebmaster';

CREATE TABLE "BingKey" (
    "workspaceId" UUID NOT NULL,
    "lastFour" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "userId" UUID,
    "endedAt" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "BingKey_pkey" PRIMARY KEY ("workspaceId")
);
ALTER TABLE "BingKey" ADD CONSTRAINT "BingKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
