-- AlterTable
ALTER TABLE "Page" DROP COLUMN "isBeingAudited";
