-- What people did for the brand and when, so that the prompts that it concerns can be compared with the others.
CREATE TABLE "Mark" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "promptIds" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "topicIds" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "url" TEXT,
    "opportunityId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Mark_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "Mark_opportunityId_key" ON "Mark"("opportunityId");

CREATE INDEX "Mark_projectId_day_idx" ON "Mark"("projectId", "day");

ALTER TABLE "Mark" ADD CONSTRAINT "Mark_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Mark" ADD CONSTRAINT "Mark_opportunityId_fkey" FOREIGN KEY ("opportunityId") REFERENCES "Opportunity"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Opportunities that are done already.
INSERT INTO "Mark" ("id", "projectId", "kind", "title", "day", "promptIds", "topicIds", "url", "opportunityId")
SELECT gen_random_uuid(), "projectId",
       CASE "actionType"
         WHEN 'allow_crawler' THEN 'robots_opened'
         WHEN 'create_page' THEN 'page_published'
         WHEN 'fix_page' THEN 'page_changed'
         WHEN 'fix_pages' THEN 'page_changed'
         WHEN 'fix_site' THEN 'page_changed'
         WHEN 'improve_page' THEN 'page_changed'
         WHEN 'get_listed' THEN 'source_won'
         ELSE 'other'
       END,
       left("title", 200), ("completedAt" AT TIME ZONE 'UTC')::date,
       ARRAY(SELECT DISTINCT (e->>'promptId')::uuid FROM jsonb_array_elements("evidence") AS e WHERE e ? 'promptId'),
       ARRAY(SELECT DISTINCT (e->>'topicId')::uuid FROM jsonb_array_elements("evidence") AS e WHERE e ? 'topicId'),
       (SELECT min(e->>'url') FROM jsonb_array_elements("evidence") AS e WHERE e ? 'url'),
       "id"
  FROM "Opportunity"
 WHERE "status" = 'completed' AND "completedAt" IS NOT NULL;
