-- CreateEnum
CREATE TYPE "AnswerProvider" AS ENUM ('openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'compatible');

-- CreateTable
CREATE TABLE "ProviderKey" (
    "id" UUID NOT NULL,
    "workspaceId" UUID NOT NULL,
    "provider" "AnswerProvider" NOT NULL,
    "label" TEXT NOT NULL,
    "baseUrl" TEXT,
    "model" TEXT,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ProviderKey_workspaceId_label_key" ON "ProviderKey"("workspaceId", "label");

-- AddForeignKey
ALTER TABLE "ProviderKey" ADD CONSTRAINT "ProviderKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
