-- CreateTable
CREATE TABLE "CollectingBudget" (
    "id" UUID NOT NULL,
    "dayCap" DOUBLE PRECISION,
    "monthCap" DOUBLE PRECISION,
    "day" DATE NOT NULL,
    "daySpent" DOUBLE PRECISION NOT NULL,
    "month" DATE NOT NULL,
    "monthSpent" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "CollectingBudget_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "CollectingBudget" ADD CONSTRAINT "CollectingBudget_id_fkey" FOREIGN KEY ("id") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
