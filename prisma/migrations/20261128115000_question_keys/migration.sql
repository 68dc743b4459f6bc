-- The key of a question: SHA-256 of the text in the form of `core/question.ts`, by which every way in finds a prompt. It
-- takes the place of the hash of the exact text. PostgreSQL cannot make that form, so the service fills in empty keys
-- when it starts (`prisma/question-keys.ts`), in one transaction, before anything reads them.
ALTER TABLE "PromptRevision" RENAME COLUMN "textHash" TO "questionKey";
ALTER TABLE "PromptRevision" ALTER COLUMN "questionKey" SET DEFAULT '';
ALTER INDEX "PromptRevision_projectId_textHash_idx" RENAME TO "PromptRevision_projectId_questionKey_idx";
UPDATE "PromptRevision" SET "questionKey" = '';

-- One prompt of a project has the key of its question. Projects may have several prompts with one question from before,
-- and REST may still make one, since its contract lets texts repeat. All but the first have no key here, which a unique
-- index allows any number of times, until `sightline prompt merge` makes them one.
ALTER TABLE "Prompt" ADD COLUMN "questionKey" TEXT;
CREATE UNIQUE INDEX "Prompt_projectId_questionKey_key" ON "Prompt"("projectId", "questionKey");

-- Prompts that were merged into another one. An answer keeps the id that its first prompt gave it, so that a second import
-- of the same file still finds it.
CREATE TABLE "MergedPrompt" (
    "id" UUID NOT NULL,
    "promptId" UUID NOT NULL,

    CONSTRAINT "MergedPrompt_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "MergedPrompt_promptId_idx" ON "MergedPrompt"("promptId");
ALTER TABLE "MergedPrompt" ADD CONSTRAINT "MergedPrompt_promptId_fkey" FOREIGN KEY ("promptId") REFERENCES "Prompt"("id") ON DELETE CASCADE ON UPDATE CASCADE;
