-- CreateEnum
CREATE TYPE "ReportPace" AS ENUM ('week', 'month');

-- AlterTable
ALTER TABLE "Report" ADD COLUMN     "scheduleId" UUID;

-- CreateTable
CREATE TABLE "ReportSchedule" (
    "id" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "reportType" "ReportType" NOT NULL,
    "every" "ReportPace" NOT NULL,
    "day" INTEGER NOT NULL DEFAULT 1,
    "hour" INTEGER NOT NULL DEFAULT 7,
    "timeZone" TEXT NOT NULL,
    "linkDays" INTEGER,
    "setById" UUID,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ReportSchedule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ReportSchedule_nextAt_idx" ON "ReportSchedule"("nextAt");

-- CreateIndex
CREATE UNIQUE INDEX "ReportSchedule_channelId_projectId_every_key" ON "ReportSchedule"("channelId", "projectId", "every");

-- AddForeignKey
ALTER TABLE "Report" ADD CONSTRAINT "Report_scheduleId_fkey" FOREIGN KEY ("scheduleId") REFERENCES "ReportSchedule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportSchedule" ADD CONSTRAINT "ReportSchedule_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportSchedule" ADD CONSTRAINT "ReportSchedule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
