-- What people set of monitors, and the changes that monitors found.
CREATE TABLE "Monitor" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "competitorId" UUID,
    "weight" DOUBLE PRECISION,
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,
    "mutedUntil" TIMESTAMPTZ(3),
    "lookedOn" DATE,

    CONSTRAINT "Monitor_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Alarm" (
    "id" UUID NOT NULL,
    "monitorId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "since" DATE NOT NULL,
    "openedOn" DATE NOT NULL,
    "closedOn" DATE,
    "attribution" TEXT,
    "acknowledgedAt" TIMESTAMPTZ(3),
    "note" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Alarm_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Monitor_projectId_idx" ON "Monitor"("projectId");
CREATE UNIQUE INDEX "Alarm_monitorId_openedOn_key" ON "Alarm"("monitorId", "openedOn");
CREATE INDEX "Alarm_projectId_openedOn_idx" ON "Alarm"("projectId", "openedOn");

ALTER TABLE "Monitor" ADD CONSTRAINT "Monitor_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Alarm" ADD CONSTRAINT "Alarm_monitorId_fkey" FOREIGN KEY ("monitorId") REFERENCES "Monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Alarm" ADD CONSTRAINT "Alarm_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
