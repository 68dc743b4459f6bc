-- CreateTable
CREATE TABLE "PageCode" (
    "hash" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PageCode_pkey" PRIMARY KEY ("hash")
);
