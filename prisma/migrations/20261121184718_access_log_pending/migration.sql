-- AlterTable
ALTER TABLE "AccessLog" ADD COLUMN     "pending" JSONB;
