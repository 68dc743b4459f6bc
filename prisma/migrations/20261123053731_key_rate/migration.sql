-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "firstKeyId" UUID;
