-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "logoHash" TEXT;

-- AlterTable
ALTER TABLE "Report" ADD COLUMN     "parts" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "sharePassword" TEXT,
ADD COLUMN     "sharedUntil" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ProjectLogo" (
    "projectId" UUID NOT NULL,
    "contentType" TEXT NOT NULL,
    "image" BYTEA NOT NULL,

    CONSTRAINT "ProjectLogo_pkey" PRIMARY KEY ("projectId")
);

-- AddForeignKey
ALTER TABLE "ProjectLogo" ADD CONSTRAINT "ProjectLogo_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
