-- When a key last worked, and since when and why its provider refuses it.
ALTER TABLE "ProviderKey" ADD COLUMN "workedAt" TIMESTAMPTZ(3),
ADD COLUMN "refusedAt" TIMESTAMPTZ(3),
ADD COLUMN "refusal" TEXT;
