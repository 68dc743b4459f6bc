-- CreateTable
CREATE TABLE "ReplacedLoad" (
    "importId" UUID NOT NULL,
    "former" INTEGER NOT NULL,
    "current" INTEGER NOT NULL,

    CONSTRAINT "ReplacedLoad_pkey" PRIMARY KEY ("importId","former")
);

-- AddForeignKey
ALTER TABLE "ReplacedLoad" ADD CONSTRAINT "ReplacedLoad_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT "raiseFor"('ReplacedLoad', '"raiseOfParent"(''records'', ''Import'', ''importId'')');
