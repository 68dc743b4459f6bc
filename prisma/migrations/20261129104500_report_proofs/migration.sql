-- Whether the proof of a shared report has the texts of the answers.
ALTER TABLE "Report" ADD COLUMN "proofTexts" BOOLEAN NOT NULL DEFAULT true;
