/** Statements that make one prompt of those that ask the same question. `$1` is the project unless said otherwise. */

/**
 * Prompts whose question another prompt asks too, the older ones first. The one with the key of the question is kept, else
 * the first. At most `$2` of them.
 */
export const repeatedPrompts = `
SELECT id, kept, text, "keptText", key
  FROM (SELECT p.id, p.text, p."createdAt", r."questionKey" AS key,
               first_value(p.id) OVER asked AS kept, first_value(p.text) OVER asked AS "keptText"
          FROM "Prompt" p
          JOIN "PromptRevision" r ON r."promptId" = p.id AND r.revision = p."currentRevision"
         WHERE p."projectId" = $1::uuid
        WINDOW asked AS (PARTITION BY r."questionKey"
                             ORDER BY p."questionKey" IS NULL, p."createdAt", p.id)) placed
 WHERE id <> kept
 ORDER BY "createdAt", id
 LIMIT $2`

/** `from` are the prompts that go, `to` those that stay, in `$1` and `$2`. */
const pairs = `unnest($1::uuid[], $2::uuid[]) AS f ("from", "to")`

/** Topics of a prompt that goes come after those of the one that stays. */
export const mergedTopics = `
INSERT INTO "PromptTopic" ("promptId", "topicId", position)
SELECT n."to", n."topicId",
       coalesce((SELECT max(position) FROM "PromptTopic" k WHERE k."promptId" = n."to"), -1)
       + row_number() OVER (PARTITION BY n."to" ORDER BY n.position, n."topicId")
  FROM (SELECT f."to", l."topicId", min(l.position) AS position
          FROM ${pairs} JOIN "PromptTopic" l ON l."promptId" = f."from"
         GROUP BY f."to", l."topicId") n
    ON CONFLICT DO NOTHING`

export const mergedLocations = `
INSERT INTO "PromptLocation" ("promptId", "locationId")
SELECT DISTINCT f."to", l."locationId"
  FROM ${pairs} JOIN "PromptLocation" l ON l."promptId" = f."from"
    ON CONFLICT DO NOTHING`

/** What the prompt that stays lacks; it is tracked, and counts toward the allowance, when one of them was. */
export const mergedPrompts = `
UPDATE "Prompt" k
   SET "intentCategory" = coalesce(k."intentCategory", g.intent::"IntentCategory"),
       "keywordSearchVolume" = coalesce(k."keywordSearchVolume", g.volume),
       "keywordDifficulty" = coalesce(k."keywordDifficulty", g.difficulty),
       "isTracked" = k."isTracked" OR g.tracked,
       "isImported" = CASE WHEN k."isTracked" OR g.tracked
                           THEN NOT (g.counts OR (k."isTracked" AND NOT k."isImported"))
                           ELSE k."isImported" AND g.imported END,
       "questionKey" = coalesce(k."questionKey", g.key)
  FROM (SELECT f."to", min(p."intentCategory"::text) AS intent, max(p."keywordSearchVolume") AS volume,
               max(p."keywordDifficulty") AS difficulty, bool_or(p."isTracked") AS tracked,
               bool_and(p."isImported") AS imported,
               bool_or(p."isTracked" AND NOT p."isImported") AS counts, min(r."questionKey") AS key
          FROM ${pairs}
          JOIN "Prompt" p ON p.id = f."from"
          JOIN "PromptRevision" r ON r."promptId" = p.id AND r.revision = p."currentRevision"
         GROUP BY f."to") g
 WHERE k.id = g."to"`

/** Other questions that a prompt asked before find the one that stays from now on. */
export const mergedWordings = `
INSERT INTO "PromptRevision" ("promptId", revision, "projectId", text, "questionKey", change, "createdAt")
SELECT n."to", k."currentRevision" + row_number() OVER (PARTITION BY n."to" ORDER BY n."createdAt", n.key),
       k."projectId", n.text, n.key, 'edited', n."createdAt"
  FROM (SELECT DISTINCT ON (f."to", r."questionKey") f."to", r."questionKey" AS key, r.text, r."createdAt"
          FROM ${pairs} JOIN "PromptRevision" r ON r."promptId" = f."from"
         WHERE NOT EXISTS (SELECT FROM "PromptRevision" o
                            WHERE o."promptId" = f."to" AND o."questionKey" = r."questionKey")
         ORDER BY f."to", r."questionKey", r."createdAt") n
  JOIN "Prompt" k ON k.id = n."to"`

/** The last revision has the wording that stays. `$3` is the time. */
export const closedRevisions = `
WITH last AS (
  SELECT k.id, max(r.revision) + 1 AS revision
    FROM "Prompt" k JOIN "PromptRevision" r ON r."promptId" = k.id
   WHERE k.id IN (SELECT f."to" FROM ${pairs})
   GROUP BY k.id),
raised AS (
  UPDATE "Prompt" k SET "currentRevision" = last.revision, "updatedAt" = $3::timestamptz
    FROM last WHERE k.id = last.id
  RETURNING k.id, k."projectId", k.text, last.revision)
INSERT INTO "PromptRevision" ("promptId", revision, "projectId", text, "questionKey", change, "createdAt")
SELECT raised.id, raised.revision, raised."projectId", raised.text, r."questionKey", 'edited', $3::timestamptz
  FROM raised
  JOIN LATERAL (SELECT o."questionKey" FROM "PromptRevision" o
                 WHERE o."promptId" = raised.id AND o.text = raised.text
                 ORDER BY o.revision DESC LIMIT 1) r ON true`

/** Schedules ask the prompt that stays, once. `$3` is the project. */
export const mergedSchedules = `
UPDATE "Schedule" s
   SET "promptIds" = (
         SELECT coalesce(array_agg(DISTINCT coalesce(f."to", id)), '{}')
           FROM unnest(s."promptIds") AS id LEFT JOIN ${pairs} ON f."from" = id)
 WHERE s."projectId" = $3::uuid AND s."promptIds" && $1::uuid[]`

/** Questions of runs belong to the prompt that stays, unless the run asked that one the same. */
export const mergedAsks = `
UPDATE "Ask" a SET "promptId" = f."to"
  FROM ${pairs}
 WHERE a."promptId" = f."from"
   AND NOT EXISTS (SELECT FROM "Ask" o
                    WHERE o."runId" = a."runId" AND o."promptId" = f."to"
                      AND o."providerKeyId" = a."providerKeyId" AND o."locationId" = a."locationId"
                      AND o.repetition = a.repetition)
   AND NOT EXISTS (SELECT FROM unnest($1::uuid[], $2::uuid[]) AS g ("from", "to")
                     JOIN "Ask" o ON o."promptId" = g."from"
                    WHERE g."to" = f."to" AND g."from" < f."from" AND o."runId" = a."runId"
                      AND o."providerKeyId" = a."providerKeyId" AND o."locationId" = a."locationId"
                      AND o.repetition = a.repetition)`

export const movedMerges = `
UPDATE "MergedPrompt" m SET "promptId" = f."to" FROM ${pairs} WHERE m."promptId" = f."from"`

export const addedMerges = `
INSERT INTO "MergedPrompt" (id, "promptId") SELECT f."from", f."to" FROM ${pairs}`
