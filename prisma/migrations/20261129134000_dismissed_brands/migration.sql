-- Brands of answers that somebody said are no competitor, by the letters and digits of their name.
CREATE TABLE "DismissedBrand" (
    "projectId" UUID NOT NULL,
    "form" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "dismissedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DismissedBrand_pkey" PRIMARY KEY ("projectId", "form")
);
ALTER TABLE "DismissedBrand" ADD CONSTRAINT "DismissedBrand_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- A list of brands that was read before is another one then.
SELECT "raiseFor"('DismissedBrand', '"raiseChanged"(''catalog'')');
