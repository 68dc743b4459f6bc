-- Monitors of projects, and the changes that they found.
CREATE TABLE "Monitor" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "competitorId" UUID,
    "platform" TEXT,
    "topicId" UUID,
    "weight" DOUBLE PRECISION,
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,
    "isOwn" BOOLEAN NOT NULL DEFAULT false,
    "mutedUntil" TIMESTAMPTZ(3),
    "lookedOn" DATE,

    CONSTRAINT "Monitor_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Alarm" (
    "id" UUID NOT NULL,
    "monitorId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "level" TEXT NOT NULL,
    "since" DATE NOT NULL,
    "openedOn" DATE NOT NULL,
    "closedOn" DATE,
    "closedReason" TEXT,
    "score" DOUBLE PRECISION,
    "threshold" DOUBLE PRECISION,
    "estimate" JSONB,
    "attribution" TEXT,
    "evidence" JSONB NOT NULL,
    "rulesVersion" INTEGER NOT NULL,
    "acknowledgedAt" TIMESTAMPTZ(3),
    "acknowledgedById" UUID,
    "note" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Alarm_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Monitor_projectId_idx" ON "Monitor"("projectId");
CREATE UNIQUE INDEX "Alarm_monitorId_subject_openedOn_key" ON "Alarm"("monitorId", "subject", "openedOn");
CREATE INDEX "Alarm_projectId_openedOn_idx" ON "Alarm"("projectId", "openedOn");

ALTER TABLE "Monitor" ADD CONSTRAINT "Monitor_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Alarm" ADD CONSTRAINT "Alarm_monitorId_fkey" FOREIGN KEY ("monitorId") REFERENCES "Monitor"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Alarm" ADD CONSTRAINT "Alarm_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Live events: an alarm was opened, closed or acknowledged.
CREATE FUNCTION "announceAlarms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'alarms_changed', 'projectId', c."projectId"))
     FROM (SELECT DISTINCT "projectId" FROM changed) c;
  RETURN NULL;
END $$;

CREATE TRIGGER "announceAdded" AFTER INSERT ON "Alarm" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "announceAlarms"();
CREATE TRIGGER "announceChanged" AFTER UPDATE ON "Alarm" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "announceAlarms"();
