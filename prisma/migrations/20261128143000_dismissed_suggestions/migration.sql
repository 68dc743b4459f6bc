-- Suggested prompts that somebody dismissed, by the id that the suggestion always has.
CREATE TABLE "DismissedSuggestion" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "dismissedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DismissedSuggestion_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "DismissedSuggestion_projectId_idx" ON "DismissedSuggestion"("projectId");
ALTER TABLE "DismissedSuggestion" ADD CONSTRAINT "DismissedSuggestion_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- A list of suggestions that was read before is another one then.
SELECT "raiseFor"('DismissedSuggestion', '"raiseChanged"(''catalog'')');
