-- UTC day whose data showed whose change an alarm is. Those stored before were mostly attributed when they opened.
ALTER TABLE "Alarm" ADD COLUMN "attributedOn" DATE;
UPDATE "Alarm" SET "attributedOn" = "openedOn" WHERE attribution IN ('you', 'assistant');
