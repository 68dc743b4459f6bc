-- CreateEnum
CREATE TYPE "ChannelKind" AS ENUM ('email', 'slack', 'teams', 'webhook');

-- CreateEnum
CREATE TYPE "ChannelState" AS ENUM ('on', 'unconfirmed', 'paused', 'disabled');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('waiting', 'sent', 'failed', 'dropped');

-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN     "mailProblem" TEXT,
ADD COLUMN     "mailedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "Channel" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "kind" "ChannelKind" NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "display" TEXT NOT NULL,
    "secretsSealed" BYTEA[] DEFAULT ARRAY[]::BYTEA[],
    "rotatedAt" TIMESTAMPTZ(3),
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "projectIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "state" "ChannelState" NOT NULL DEFAULT 'on',
    "disabledReason" TEXT,
    "failingSince" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Delivery" (
    "id" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "eventType" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "nextAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "state" "DeliveryState" NOT NULL DEFAULT 'waiting',
    "lastStatus" INTEGER,
    "lastError" TEXT,

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Digest" (
    "id" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "weekday" INTEGER NOT NULL DEFAULT 1,
    "hour" INTEGER NOT NULL DEFAULT 7,
    "timeZone" TEXT NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Digest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Channel_workspaceId_name_key" ON "Channel"("workspaceId", "name");

-- CreateIndex
CREATE INDEX "Delivery_channelId_createdAt_idx" ON "Delivery"("channelId", "createdAt");

-- CreateIndex
CREATE INDEX "Delivery_state_nextAt_idx" ON "Delivery"("state", "nextAt");

-- CreateIndex
CREATE INDEX "Delivery_createdAt_idx" ON "Delivery"("createdAt");

-- CreateIndex
CREATE INDEX "Digest_nextAt_idx" ON "Digest"("nextAt");

-- CreateIndex
CREATE UNIQUE INDEX "Digest_channelId_projectId_key" ON "Digest"("channelId", "projectId");

-- AddForeignKey
ALTER TABLE "Channel" ADD CONSTRAINT "Channel_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Digest" ADD CONSTRAINT "Digest_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Digest" ADD CONSTRAINT "Digest_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
