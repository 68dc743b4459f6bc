-- How far an import by day has come, and why one that was killed changed nothing.
ALTER TABLE "Import" ADD COLUMN "stage" TEXT, ADD COLUMN "failure" TEXT;
CREATE INDEX "Import_stage_idx" ON "Import"("stage");
