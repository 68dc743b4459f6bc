-- CreateTable
CREATE TABLE "DeletedRuns" (
    "workspaceId" UUID NOT NULL,
    "month" DATE NOT NULL,
    "audits" INTEGER NOT NULL DEFAULT 0,
    "reports" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "DeletedRuns_pkey" PRIMARY KEY ("workspaceId","month")
);

-- AddForeignKey
ALTER TABLE "DeletedRuns" ADD CONSTRAINT "DeletedRuns_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
