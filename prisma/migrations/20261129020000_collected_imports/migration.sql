-- AlterTable
ALTER TABLE "Import" ADD COLUMN     "isCollected" BOOLEAN NOT NULL DEFAULT false;

-- Runs and replays named their imports so.
UPDATE "Import" SET "isCollected" = true
 WHERE kind = 'answers' AND "userId" IS NULL AND (file ~ '^run [0-9a-f]{8}-[0-9a-f-]{27}$' OR file = 'bodies read again');
