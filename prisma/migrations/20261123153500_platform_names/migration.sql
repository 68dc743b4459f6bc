-- AlterTable
ALTER TABLE "ProjectModel" ADD COLUMN     "platformName" TEXT NOT NULL DEFAULT '';
