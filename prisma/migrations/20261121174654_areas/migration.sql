-- CreateEnum
CREATE TYPE "ConnectionProblem" AS ENUM ('accessDenied', 'notFound');

-- AlterTable
ALTER TABLE "Connection" ADD COLUMN     "problem" "ConnectionProblem";

-- CreateTable
CREATE TABLE "Page" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "isTracked" BOOLEAN NOT NULL DEFAULT true,
    "isBeingAudited" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Page_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SitemapUrl" (
    "projectId" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "lastModified" TIMESTAMPTZ(3),

    CONSTRAINT "SitemapUrl_pkey" PRIMARY KEY ("projectId","url")
);

-- CreateTable
CREATE TABLE "Article" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "urlPath" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "topic" TEXT,
    "targetKeyword" TEXT,
    "keywords" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "wordCount" INTEGER NOT NULL,
    "metaDescription" TEXT,
    "ogImage" TEXT,
    "visibility" TEXT NOT NULL,
    "isPillar" BOOLEAN NOT NULL DEFAULT false,
    "aiReadinessScore" DOUBLE PRECISION,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "content" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "publishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Article_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DomainAuthority" (
    "projectId" UUID NOT NULL,
    "date" DATE NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "backlinks" BIGINT NOT NULL,
    "referringDomains" BIGINT NOT NULL,

    CONSTRAINT "DomainAuthority_pkey" PRIMARY KEY ("projectId","date")
);

-- CreateIndex
CREATE UNIQUE INDEX "Page_projectId_url_key" ON "Page"("projectId", "url");

-- CreateIndex
CREATE UNIQUE INDEX "Article_projectId_source_slug_key" ON "Article"("projectId", "source", "slug");

-- AddForeignKey
ALTER TABLE "Page" ADD CONSTRAINT "Page_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SitemapUrl" ADD CONSTRAINT "SitemapUrl_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Article" ADD CONSTRAINT "Article_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DomainAuthority" ADD CONSTRAINT "DomainAuthority_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
