-- AlterTable
ALTER TABLE "BrandAlias" ADD COLUMN     "excludedPhrases" TEXT[] DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "caseSensitive" DROP NOT NULL,
ALTER COLUMN "caseSensitive" DROP DEFAULT;

-- AlterTable
ALTER TABLE "Competitor" ADD COLUMN     "caseSensitive" BOOLEAN,
ADD COLUMN     "excludedPhrases" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "CompetitorAlias" ADD COLUMN     "excludedPhrases" TEXT[] DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "caseSensitive" DROP NOT NULL,
ALTER COLUMN "caseSensitive" DROP DEFAULT;

-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "caseSensitive" BOOLEAN,
ADD COLUMN     "excludedPhrases" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Until now false was the default, so nobody chose it: the name decides.
UPDATE "BrandAlias" SET "caseSensitive" = NULL WHERE NOT "caseSensitive";
UPDATE "CompetitorAlias" SET "caseSensitive" = NULL WHERE NOT "caseSensitive";
