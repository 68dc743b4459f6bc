-- CreateEnum
CREATE TYPE "JobStatus" AS ENUM ('queued', 'running', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "AuditPageStatus" AS ENUM ('queued', 'completed', 'skipped', 'failed');

-- CreateEnum
CREATE TYPE "IssueStatus" AS ENUM ('open', 'resolved');

-- CreateEnum
CREATE TYPE "Severity" AS ENUM ('critical', 'high', 'medium', 'low');

-- CreateEnum
CREATE TYPE "IssueResolution" AS ENUM ('fixed', 'page_removed', 'superseded', 'check_retired', 'ignored');

-- CreateEnum
CREATE TYPE "OpportunityStatus" AS ENUM ('active', 'completed', 'dismissed', 'auto_resolved');

-- CreateEnum
CREATE TYPE "ReportType" AS ENUM ('visibility', 'sentiment', 'combined');

-- AlterTable
ALTER TABLE "Page" ADD COLUMN     "address" TEXT;

-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "sitemapError" TEXT;

-- AlterTable
ALTER TABLE "SitemapUrl" ADD COLUMN     "address" TEXT;

-- CreateTable
CREATE TABLE "Audit" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "status" "JobStatus" NOT NULL DEFAULT 'queued',
    "pageCount" INTEGER NOT NULL,
    "isWholeSite" BOOLEAN NOT NULL,
    "issueCount" INTEGER NOT NULL DEFAULT 0,
    "scores" JSONB,
    "site" JSONB,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditPage" (
    "auditId" UUID NOT NULL,
    "pageId" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "status" "AuditPageStatus" NOT NULL DEFAULT 'queued',
    "httpStatus" INTEGER,
    "reading" JSONB,
    "findings" JSONB,
    "scores" JSONB,
    "issueCount" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuditPage_pkey" PRIMARY KEY ("auditId","pageId")
);

-- CreateTable
CREATE TABLE "AuditTarget" (
    "auditId" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "outcome" JSONB,

    CONSTRAINT "AuditTarget_pkey" PRIMARY KEY ("auditId","address")
);

-- CreateTable
CREATE TABLE "Issue" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "pageId" UUID,
    "origin" TEXT,
    "check" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "severity" "Severity" NOT NULL,
    "status" "IssueStatus" NOT NULL DEFAULT 'open',
    "resolution" "IssueResolution",
    "affectedCount" INTEGER NOT NULL,
    "reach" BIGINT NOT NULL,
    "evidence" JSONB NOT NULL,
    "regressions" INTEGER NOT NULL DEFAULT 0,
    "decidedBy" BIGINT NOT NULL,
    "ignoredReason" TEXT,
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "resolvedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Issue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Opportunity" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "rule" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "actionType" TEXT NOT NULL,
    "impact" "Severity" NOT NULL,
    "status" "OpportunityStatus" NOT NULL DEFAULT 'active',
    "score" DOUBLE PRECISION NOT NULL,
    "evidence" JSONB NOT NULL,
    "dismissedReason" TEXT,
    "dismissedImpact" "Severity",
    "completedAt" TIMESTAMPTZ(3),
    "dismissedAt" TIMESTAMPTZ(3),
    "autoResolvedAt" TIMESTAMPTZ(3),
    "goneAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Opportunity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Report" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "reportType" "ReportType" NOT NULL,
    "title" TEXT NOT NULL,
    "from" DATE NOT NULL,
    "to" DATE NOT NULL,
    "status" "JobStatus" NOT NULL DEFAULT 'queued',
    "asOf" JSONB NOT NULL,
    "content" JSONB,
    "error" TEXT,
    "isShared" BOOLEAN NOT NULL DEFAULT false,
    "shareVersion" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReportBranding" (
    "workspaceId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "accent" TEXT NOT NULL,
    "logo" BYTEA,

    CONSTRAINT "ReportBranding_pkey" PRIMARY KEY ("workspaceId")
);

-- CreateIndex
CREATE UNIQUE INDEX "Audit_seq_key" ON "Audit"("seq");

-- CreateIndex
CREATE INDEX "Audit_projectId_createdAt_idx" ON "Audit"("projectId", "createdAt");

-- CreateIndex
CREATE INDEX "AuditPage_auditId_status_url_idx" ON "AuditPage"("auditId", "status", "url");

-- CreateIndex
CREATE INDEX "AuditPage_pageId_idx" ON "AuditPage"("pageId");

-- CreateIndex
CREATE INDEX "Issue_projectId_status_severity_idx" ON "Issue"("projectId", "status", "severity");

-- CreateIndex
CREATE INDEX "Issue_projectId_pageId_idx" ON "Issue"("projectId", "pageId");

-- CreateIndex
CREATE INDEX "Opportunity_projectId_status_impact_idx" ON "Opportunity"("projectId", "status", "impact");

-- CreateIndex
CREATE INDEX "Report_projectId_createdAt_idx" ON "Report"("projectId", "createdAt");

-- AddForeignKey
ALTER TABLE "Audit" ADD CONSTRAINT "Audit_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditPage" ADD CONSTRAINT "AuditPage_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditTarget" ADD CONSTRAINT "AuditTarget_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Issue" ADD CONSTRAINT "Issue_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Opportunity" ADD CONSTRAINT "Opportunity_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Report" ADD CONSTRAINT "Report_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportBranding" ADD CONSTRAINT "ReportBranding_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
