-- Who rates the sentiment of a project's answers: rules, or a model by a provider key of the workspace.
CREATE TABLE "SentimentRater" (
    "projectId" UUID NOT NULL,
    -- Null for the rules. Names the model and the text that asks it.
    "version" TEXT,
    "keyId" UUID,
    "provider" "AnswerProvider",
    "model" TEXT,
    "monthCap" DOUBLE PRECISION,
    -- Answers of later loads are rated as they come, older ones where the project asks for them.
    "sinceLoad" INTEGER NOT NULL DEFAULT 0,
    "ratesOlder" BOOLEAN NOT NULL DEFAULT false,
    "problem" TEXT,
    -- Grows with each batch of verdicts.
    "batches" BIGINT NOT NULL DEFAULT 0,
    "changedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SentimentRater_pkey" PRIMARY KEY ("projectId")
);

-- The changes of method, for the marks on trends.
CREATE TABLE "SentimentChange" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "version" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SentimentChange_pkey" PRIMARY KEY ("id")
);

-- What a version has taken in a UTC month. The cost is null where the model has no known price.
CREATE TABLE "SentimentCost" (
    "projectId" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "calls" INTEGER NOT NULL DEFAULT 0,
    "passages" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" BIGINT NOT NULL DEFAULT 0,
    "outputTokens" BIGINT NOT NULL DEFAULT 0,
    "cost" DOUBLE PRECISION,

    CONSTRAINT "SentimentCost_pkey" PRIMARY KEY ("projectId", "version", "month")
);

CREATE INDEX "SentimentRater_keyId_idx" ON "SentimentRater"("keyId");
CREATE INDEX "SentimentChange_projectId_at_idx" ON "SentimentChange"("projectId", "at");

ALTER TABLE "SentimentRater" ADD CONSTRAINT "SentimentRater_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SentimentRater" ADD CONSTRAINT "SentimentRater_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "ProviderKey"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "SentimentChange" ADD CONSTRAINT "SentimentChange_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SentimentCost" ADD CONSTRAINT "SentimentCost_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Reports of answers read the method and its verdicts.
SELECT "raiseFor"('SentimentRater', '"raiseChanged"(''answers'')');
