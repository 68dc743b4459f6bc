/**
 * An import stages its lines in temporary tables, then writes all changes at once. The number of statements does not
 * depend on the number of lines.
 */

/** How long the transaction may wait for the next line, in milliseconds. */
export const patience = `SELECT set_config('idle_in_transaction_session_timeout', $1, true)`

export const usualPatience = `SET LOCAL idle_in_transaction_session_timeout TO DEFAULT`

/** `"promptId"` is the prompt of a line; `"isKnown"` when it existed before. */
export const staging = `
CREATE TEMP TABLE staged_prompt (
  line int NOT NULL, id uuid NOT NULL, hash text NOT NULL, text text NOT NULL, topics text[],
  intent "IntentCategory", "isBranded" boolean, "namesBrand" boolean, volume int, difficulty int,
  "isTracked" boolean, place json, "promptId" uuid, "isKnown" boolean, "isCurrent" boolean
) ON COMMIT DROP`

/** Takes a batch of lines as JSON. */
export const stagedLines = `
INSERT INTO staged_prompt
SELECT * FROM json_to_recordset($1::json) AS r (
  line int, id uuid, hash text, text text, topics text[], intent "IntentCategory",
  "isBranded" boolean, "namesBrand" boolean, volume int, difficulty int, "isTracked" boolean,
  place json)`

/**
 * PostgreSQL knows nothing of the rows of a new table, and would look through all of them for each row of another.
 * Run it on each table that an import fills.
 */
export const analyzed = (table: string) => `ANALYZE ${table}`

/** A question finds the prompt that asks it now, else the first prompt that ever did, else a new prompt. */
export const foundPrompts = `
UPDATE staged_prompt s
   SET "promptId" = coalesce(m.id, h.id),
       "isKnown" = m.id IS NOT NULL,
       "isCurrent" = coalesce(m."isCurrent", true)
  FROM (SELECT DISTINCT ON (hash) hash, id FROM staged_prompt ORDER BY hash, line) h
  LEFT JOIN LATERAL (
         SELECT p.id, r.revision = p."currentRevision" AS "isCurrent"
           FROM "PromptRevision" r
           JOIN "Prompt" p ON p.id = r."promptId"
          WHERE r."projectId" = $1::uuid AND r."questionKey" = h.hash
          ORDER BY 2 DESC, p."questionKey" IS NULL, r."createdAt", p.id
          LIMIT 1
       ) m ON true
 WHERE s.hash = h.hash`

/** Lines with the prompt's current wording come first, then lines in file order. */
const first = (column: string) =>
  `(array_agg(${column} ORDER BY "isCurrent" DESC, line) FILTER (WHERE ${column} IS NOT NULL))[1]`

/** The values that the lines give each prompt, null for none. `change` is the write it needs. */
export const wantedPrompts = `
CREATE TEMP TABLE wanted_prompt ON COMMIT DROP AS
SELECT "promptId" AS id,
       ${first('hash')} AS hash,
       ${first('text')} AS text,
       ${first('intent')} AS intent,
       ${first('"isBranded"')} AS "isBranded",
       ${first('"namesBrand"')} AS "namesBrand",
       ${first('volume')} AS volume,
       ${first('difficulty')} AS difficulty,
       ${first('"isTracked"')} AS "isTracked",
       CASE WHEN bool_or("isKnown") THEN NULL ELSE 'created' END::"RevisionChange" AS change
  FROM staged_prompt
 GROUP BY "promptId"`

/** Locks in id order: two writers in different orders would deadlock. */
export const lockedPrompts = `
SELECT count(*)
  FROM (SELECT p.id
          FROM "Prompt" p
          JOIN wanted_prompt w ON w.id = p.id
         WHERE w.change IS NULL
         ORDER BY p.id
           FOR NO KEY UPDATE OF p) locked`

export const addedTopics = `
INSERT INTO "Topic" (id, "projectId", name)
SELECT gen_random_uuid(), $1::uuid, topic
  FROM (SELECT DISTINCT unnest(topics) AS topic FROM staged_prompt) t
 ORDER BY topic
    ON CONFLICT ("projectId", name) DO NOTHING`

/** Keeps the named topics until the transaction ends. */
export const keptStagedTopics = `
SELECT count(*)
  FROM (SELECT id
          FROM "Topic"
         WHERE "projectId" = $1::uuid AND name IN (SELECT unnest(topics) FROM staged_prompt)
           FOR KEY SHARE) kept`

/** Topics to add to prompts, with the first line that names each. */
export const lackingTopics = `
CREATE TEMP TABLE lacking_topic ON COMMIT DROP AS
SELECT s."promptId", t.id AS "topicId", min(s.line) AS line
  FROM staged_prompt s
 CROSS JOIN unnest(s.topics) AS named (name)
  JOIN "Topic" t ON t."projectId" = $1::uuid AND t.name = named.name
  LEFT JOIN "PromptTopic" l ON l."promptId" = s."promptId" AND l."topicId" = t.id
 WHERE l."topicId" IS NULL
 GROUP BY s."promptId", t.id`

export const addedLocations = `
INSERT INTO "Location" (id, "projectId", label, "countryCode", city, region)
SELECT DISTINCT ON (r.label) r.id, $1::uuid, r.label, r."countryCode", r.city, r.region
  FROM staged_prompt s,
       json_to_record(s.place) AS r (id uuid, label text, "countryCode" text, city text, region text)
 WHERE s.place IS NOT NULL
 ORDER BY r.label
    ON CONFLICT ("projectId", label) DO NOTHING`

/** Locations to add to prompts. */
export const lackingLocations = `
CREATE TEMP TABLE lacking_location ON COMMIT DROP AS
SELECT DISTINCT s."promptId", l.id AS "locationId"
  FROM staged_prompt s
  JOIN "Location" l ON l."projectId" = $1::uuid AND l.label = s.place ->> 'label'
  LEFT JOIN "PromptLocation" p ON p."promptId" = s."promptId" AND p."locationId" = l.id
 WHERE p."locationId" IS NULL`

export const addedPromptLocations = `
INSERT INTO "PromptLocation" ("promptId", "locationId")
SELECT "promptId", "locationId" FROM lacking_location
 ON CONFLICT DO NOTHING`

export const decidedChanges = `
UPDATE wanted_prompt w
   SET change = CASE
         WHEN w."isTracked" AND NOT p."isTracked" THEN 'unarchived'
         WHEN NOT w."isTracked" AND p."isTracked" THEN 'archived'
         WHEN coalesce(w.intent, p."intentCategory") IS DISTINCT FROM p."intentCategory"
           OR coalesce(w."isBranded", p."isBranded") <> p."isBranded"
           OR coalesce(w.volume, p."keywordSearchVolume") IS DISTINCT FROM p."keywordSearchVolume"
           OR coalesce(w.difficulty, p."keywordDifficulty") IS DISTINCT FROM p."keywordDifficulty"
           OR l.id IS NOT NULL
         THEN 'edited'
       END::"RevisionChange"
  FROM "Prompt" p
  LEFT JOIN (SELECT "promptId" AS id FROM lacking_topic
              UNION
             SELECT "promptId" FROM lacking_location) l ON l.id = p.id
 WHERE p.id = w.id AND w.change IS NULL`

/** Counts of the import. `requested` is the growth in prompts that count toward the allowance. */
export const importSummary = `
SELECT count(*)::int AS prompts,
       (count(*) FILTER (WHERE change = 'created'))::int AS created,
       (count(*) FILTER (WHERE change <> 'created'))::int AS updated,
       (SELECT count(*)::int FROM staged_prompt) AS lines,
       ((count(*) FILTER (WHERE change = 'created' AND coalesce(w."isTracked", true)))
        + (count(*) FILTER (WHERE change = 'unarchived' AND NOT p."isImported"))
        - (count(*) FILTER (WHERE change = 'archived' AND NOT p."isImported")))::int AS requested
  FROM wanted_prompt w
  LEFT JOIN "Prompt" p ON p.id = w.id`

/** The first lines of the import, at most `$1`, with what each would do. */
export const previewedLines = `
SELECT s.line, s.text, coalesce(s.topics, '{}') AS topics, s.intent::text AS intent, s.volume::int,
       s.place ->> 'label' AS location, s."isTracked", w.change::text,
       row_number() OVER (PARTITION BY s."promptId" ORDER BY s."isCurrent" DESC, s.line) > 1 AS "isRepeated",
       p.id AS "promptId", p.text AS "promptText"
  FROM staged_prompt s
  JOIN wanted_prompt w ON w.id = s."promptId"
  LEFT JOIN "Prompt" p ON p.id = s."promptId"
 ORDER BY s.line
 LIMIT $1`

/** What the import finds of each prompt that it will write, for its undo; null for a new prompt. */
export const foundForUndo = `
INSERT INTO "ImportedRecord" ("importId", "table", key, before)
SELECT $1::uuid, 'Prompt', w.id::text,
       CASE WHEN p.id IS NOT NULL THEN jsonb_build_object(
         'revision', p."currentRevision" + 1, 'intent', p."intentCategory", 'isBranded', p."isBranded",
         'isTracked', p."isTracked", 'volume', p."keywordSearchVolume", 'difficulty', p."keywordDifficulty",
         'topics', (SELECT jsonb_agg(l."topicId") FROM lacking_topic l WHERE l."promptId" = w.id),
         'locations', (SELECT jsonb_agg(l."locationId") FROM lacking_location l WHERE l."promptId" = w.id))
       END
  FROM wanted_prompt w
  LEFT JOIN "Prompt" p ON p.id = w.id
 WHERE w.change IS NOT NULL`

export const createdPrompts = `
INSERT INTO "Prompt" (id, "projectId", text, "questionKey", "intentCategory", "isBranded", "isTracked",
                      "keywordSearchVolume", "keywordDifficulty",
                      "createdAt", "updatedAt", "textChangedAt")
SELECT id, $1::uuid, text, hash, intent, coalesce("isBranded", "namesBrand", false),
       coalesce("isTracked", true), volume, difficulty,
       $2::timestamptz, $2::timestamptz, $2::timestamptz
  FROM wanted_prompt
 WHERE change = 'created'`

export const updatedPrompts = `
UPDATE "Prompt" p
   SET "intentCategory" = coalesce(w.intent, p."intentCategory"),
       "isBranded" = coalesce(w."isBranded", p."isBranded"),
       "isTracked" = coalesce(w."isTracked", p."isTracked"),
       "keywordSearchVolume" = coalesce(w.volume, p."keywordSearchVolume"),
       "keywordDifficulty" = coalesce(w.difficulty, p."keywordDifficulty"),
       "currentRevision" = p."currentRevision" + 1,
       "updatedAt" = $1::timestamptz
  FROM wanted_prompt w
 WHERE p.id = w.id AND w.change <> 'created'`

/** One revision per created or changed prompt. An import rewords no existing prompt. */
export const addedRevisions = `
INSERT INTO "PromptRevision" ("promptId", revision, "projectId", text, "questionKey", change, "createdAt")
SELECT p.id, p."currentRevision", p."projectId", p.text,
       coalesce(before."questionKey", w.hash), w.change, $1::timestamptz
  FROM wanted_prompt w
  JOIN "Prompt" p ON p.id = w.id
  LEFT JOIN "PromptRevision" before
    ON before."promptId" = p.id AND before.revision = p."currentRevision" - 1
 WHERE w.change IS NOT NULL`

/** Added topics come after the prompt's existing topics. */
export const addedPromptTopics = `
INSERT INTO "PromptTopic" ("promptId", "topicId", position)
SELECT n."promptId", n."topicId",
       coalesce(l.last, -1)
       + row_number() OVER (PARTITION BY n."promptId" ORDER BY n.line, n."topicId")
  FROM lacking_topic n
  LEFT JOIN (SELECT "promptId", max(position) AS last
               FROM "PromptTopic"
              WHERE "promptId" IN (SELECT "promptId" FROM lacking_topic)
              GROUP BY "promptId") l ON l."promptId" = n."promptId"`
