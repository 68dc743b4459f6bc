-- CreateEnum
CREATE TYPE "AskOutcome" AS ENUM ('answered', 'cut_off', 'refused', 'filtered', 'empty', 'not_shown', 'failed');

-- AlterTable
ALTER TABLE "Ask" ADD COLUMN     "outcome" "AskOutcome";

-- Questions of before have the outcome at the start of their reason. A reply with an answer has none unless it was cut off.
UPDATE "Ask" SET "askedAt" = "endedAt",
  "outcome" = CASE
    WHEN "state" = 'answered' AND "reason" LIKE 'cut\_off%' THEN 'cut_off'::"AskOutcome"
    WHEN "state" = 'answered' THEN 'answered'::"AskOutcome"
    WHEN split_part("reason", ':', 1) IN ('refused', 'filtered', 'empty', 'failed')
      THEN split_part("reason", ':', 1)::"AskOutcome"
  END
 WHERE "endedAt" IS NOT NULL;
