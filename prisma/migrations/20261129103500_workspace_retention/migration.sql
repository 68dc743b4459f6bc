-- Days for which a workspace keeps its data, below what the service keeps. Null: as long as the service does.
ALTER TABLE "Workspace"
  ADD COLUMN "keepAnswersDays" INTEGER,
  ADD COLUMN "keepCrawlerHitsDays" INTEGER,
  ADD COLUMN "keepAnalyticsDays" INTEGER,
  ADD COLUMN "keepPageContentsDays" INTEGER,
  ADD COLUMN "keepAuditsDays" INTEGER,
  ADD COLUMN "keepAuditTrailDays" INTEGER;
