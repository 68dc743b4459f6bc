-- What an opportunity can change, which the next evaluation fills, how much work it is, and who does it.
CREATE TYPE "Effort" AS ENUM ('low', 'medium', 'high');
ALTER TABLE "Opportunity"
  ADD COLUMN "effort" "Effort" NOT NULL DEFAULT 'medium',
  ADD COLUMN "effectMetric" TEXT,
  ADD COLUMN "effectValue" DOUBLE PRECISION NOT NULL DEFAULT 0,
  ADD COLUMN "effectAnswers" DOUBLE PRECISION NOT NULL DEFAULT 0,
  ADD COLUMN "effectShare" DOUBLE PRECISION NOT NULL DEFAULT 0,
  ADD COLUMN "effectReason" TEXT,
  ADD COLUMN "assigneeId" UUID;
UPDATE "Opportunity"
   SET "effort" = CASE WHEN "actionType" IN ('create_page', 'get_listed') THEN 'high'::"Effort"
                       WHEN "actionType" IN ('improve_page', 'investigate') THEN 'medium'::"Effort"
                       ELSE 'low'::"Effort" END;
CREATE INDEX "Opportunity_assigneeId_idx" ON "Opportunity"("assigneeId");
ALTER TABLE "Opportunity" ADD CONSTRAINT "Opportunity_assigneeId_fkey"
  FOREIGN KEY ("assigneeId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;
