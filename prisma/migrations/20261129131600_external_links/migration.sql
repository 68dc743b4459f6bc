-- Links of audited pages to other sites, which an audit asks when someone wants it. States sort as a reader reads them.
CREATE TYPE "ExternalLinkState" AS ENUM ('broken', 'refused', 'not_checked', 'working', 'queued');

ALTER TABLE "Audit" ADD COLUMN "checksExternalLinks" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "ExternalLink" (
    "auditId" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "kinds" TEXT[] NOT NULL,
    "pages" TEXT[] NOT NULL,
    "pageCount" INTEGER NOT NULL,
    "state" "ExternalLinkState" NOT NULL DEFAULT 'queued',
    "httpStatus" INTEGER,
    "reason" TEXT,
    "detail" TEXT,
    "finalAddress" TEXT,

    CONSTRAINT "ExternalLink_pkey" PRIMARY KEY ("auditId", "address")
);

CREATE INDEX "ExternalLink_auditId_state_pageCount_idx" ON "ExternalLink"("auditId", "state", "pageCount" DESC);

ALTER TABLE "ExternalLink" ADD CONSTRAINT "ExternalLink_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT "raiseFor"('ExternalLink', format('"raiseOfParent"(%L, %L, %L)', 'site', 'Audit', 'auditId'));
