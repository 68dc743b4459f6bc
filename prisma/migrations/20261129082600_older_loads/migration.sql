-- AlterTable
ALTER TABLE "SentimentRater" ADD COLUMN     "olderLoads" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
