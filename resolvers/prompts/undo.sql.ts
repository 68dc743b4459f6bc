/** What the import `$1` wrote of a prompt: `before` is null for a new one. */
const written = `
  FROM "ImportedRecord" r
  JOIN "Prompt" p ON p.id = r.key::uuid
 WHERE r."importId" = $1::uuid AND r."table" = 'Prompt'`

const isNew = `coalesce(jsonb_typeof(r.before), 'null') = 'null'`

/** The new prompts of an import that are still there, and whether somebody has changed them since. */
export const newPrompts = `
SELECT p.id, p."currentRevision" > 1 AS "isChanged" ${written} AND ${isNew}`

/** Prompts that the import changed and nobody since, with what they were. */
const changed = `SELECT p.id, p."isTracked", p."isImported", r.before ${written}
   AND NOT ${isNew} AND p."currentRevision" = (r.before ->> 'revision')::int`

/** How many more prompts count toward the allowance after the undo. */
export const trackedAgain = `
SELECT (count(*) FILTER (WHERE (before ->> 'isTracked')::boolean)
        - count(*) FILTER (WHERE "isTracked"))::int AS requested
  FROM (${changed}) c WHERE NOT "isImported"`

/** Topics and locations that the import gave to prompts that nobody has changed since. */
export const takenTopics = `
DELETE FROM "PromptTopic" t USING (${changed}) c
 WHERE t."promptId" = c.id AND c.before -> 'topics' ? t."topicId"::text`

export const takenLocations = `
DELETE FROM "PromptLocation" l USING (${changed}) c
 WHERE l."promptId" = c.id AND c.before -> 'locations' ? l."locationId"::text`

/** Gives prompts what they had before the import, each with a revision. */
export const restoredPrompts = `
WITH c AS MATERIALIZED (${changed}),
restored AS (
  UPDATE "Prompt" p
     SET "intentCategory" = (c.before ->> 'intent')::"IntentCategory",
         "isBranded" = (c.before ->> 'isBranded')::boolean,
         "isTracked" = (c.before ->> 'isTracked')::boolean,
         "keywordSearchVolume" = (c.before ->> 'volume')::float,
         "keywordDifficulty" = (c.before ->> 'difficulty')::float,
         "currentRevision" = p."currentRevision" + 1, "updatedAt" = now()
    FROM c WHERE p.id = c.id
  RETURNING p.id, p."projectId", p.text, p."currentRevision", p."isTracked", c."isTracked" AS was)
INSERT INTO "PromptRevision" ("promptId", revision, "projectId", text, "questionKey", change, "createdAt")
SELECT n.id, n."currentRevision", n."projectId", n.text, former."questionKey",
       (CASE WHEN n."isTracked" = n.was THEN 'edited'
             WHEN n."isTracked" THEN 'unarchived' ELSE 'archived' END)::"RevisionChange", now()
  FROM restored n
  JOIN "PromptRevision" former
    ON former."promptId" = n.id AND former.revision = n."currentRevision" - 1`
