-- CreateTable
CREATE TABLE "AuditText" (
    "auditId" UUID NOT NULL,
    "pageId" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "readAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditText_pkey" PRIMARY KEY ("auditId","pageId")
);

-- AddForeignKey
ALTER TABLE "AuditText" ADD CONSTRAINT "AuditText_auditId_fkey" FOREIGN KEY ("auditId") REFERENCES "Audit"("id") ON DELETE CASCADE ON UPDATE CASCADE;
