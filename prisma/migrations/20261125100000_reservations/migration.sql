-- AlterTable
ALTER TABLE "Ask" ADD COLUMN     "reserved" DOUBLE PRECISION,
ADD COLUMN     "reservedOn" DATE;
