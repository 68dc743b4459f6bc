import { follows, type SortColumn, sortedBy } from '../shared/lists/keyset.ts'
import { hasTerms, searched } from '../shared/search.sql.ts'

const newestFirst = (of: string): SortColumn[] => [
  { column: `${of}"createdAt"`, type: 'timestamptz', isDescending: true },
  { column: `${of}id`, type: 'uuid' },
]

const listed = `"projectId" = $1::uuid
   AND ($2::text IS NULL OR strpos(${searched('text')}, ${searched('$2::text')}) > 0)
   AND ($3::uuid[] IS NULL
        OR id IN (SELECT "promptId" FROM "PromptTopic" WHERE "topicId" = ANY($3)))
   AND ($4::boolean IS NULL OR "isTracked" = $4)
   AND ($5::text[] IS NULL OR "intentCategory" = ANY($5::"IntentCategory"[]))
   AND ($6::boolean IS NULL OR "isBranded" = $6)
   AND ($7::uuid[] IS NULL OR id NOT IN (SELECT unnest($7)))`

/**
 * A page of the prompts of a project, newest first. `$2` to `$7` are filters, null for none: search, topics, tracked,
 * intents, branded, left out; `$10` is the row before. The count is a statement of its own: a window count would sort all rows.
 */
export const promptPage = `
SELECT *
  FROM "Prompt"
 WHERE ${listed} AND ${follows(newestFirst(''), '$10')}
 ORDER BY ${sortedBy(newestFirst(''))}
 LIMIT $8 OFFSET $9`

export const promptCount = `SELECT count(*)::int AS total FROM "Prompt" WHERE ${listed}`

/** The prompts that pass the filters, sorted by their texts. */
export const promptIds = `
SELECT id FROM "Prompt" WHERE ${listed} ORDER BY ${searched('text')}, id`

/** A page of the prompts of each topic in `$1`, newest first. `$5` is the row before. */
export const promptsByTopic = `
SELECT *
  FROM (
    SELECT p.*, l."topicId" AS "ofTopic",
           row_number() OVER (PARTITION BY l."topicId" ORDER BY ${sortedBy(newestFirst('p.'))}) AS place
      FROM "PromptTopic" l JOIN "Prompt" p ON p.id = l."promptId"
     WHERE l."topicId" = ANY($1::uuid[])
       AND ($2::boolean IS NULL OR p."isTracked" = $2)
       AND ${follows(newestFirst('p.'), '$5')}) AS placed
 WHERE place > $4::int AND place <= $3::int + $4::int
 ORDER BY place`

/** Locks a prompt until the transaction ends. Imports may still add topics to it. */
export const lockedPrompt = `
SELECT * FROM "Prompt" WHERE "projectId" = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`

/** Makes the writers of questions of a project wait for each other until the transaction ends. */
export const oneWriter = `SELECT pg_advisory_xact_lock(hashtextextended('questions ' || $1::text, 0))`

/**
 * The prompt of each question in `$2`: the one that asks it now, else the first that ever did. `$3` keeps those that
 * came with answers and ask it now.
 */
export const promptsByQuestion = `
SELECT DISTINCT ON (r."questionKey") r."questionKey" AS key, p.id
  FROM "PromptRevision" r
  JOIN "Prompt" p ON p.id = r."promptId"
 WHERE r."projectId" = $1::uuid AND r."questionKey" = ANY($2::text[])
   AND (NOT $3::boolean OR (p."isImported" AND r.revision = p."currentRevision"))
 ORDER BY r."questionKey", r.revision = p."currentRevision" DESC, p."questionKey" IS NULL,
          r."createdAt", p.id`

/** Locks in id order: two writers in different orders would deadlock. */
export const lockedPrompts = `
SELECT * FROM "Prompt" WHERE "projectId" = $1::uuid AND id = ANY($2::uuid[])
 ORDER BY id FOR NO KEY UPDATE`

/** Keeps a project until the transaction ends. */
export const keptProject = `SELECT id FROM "Project" WHERE id = $1::uuid FOR KEY SHARE`

/** Keeps topics of the project until the transaction ends. */
export const keptTopics = `
SELECT id FROM "Topic" WHERE "projectId" = $1::uuid AND id = ANY($2::uuid[]) FOR KEY SHARE`

/** Topics, own locations and first wording of prompts, in one statement for a page. */
export const attachedToPrompts = `
SELECT p.id AS "promptId",
       (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name)
                                 ORDER BY l.position, t.id), '[]')
          FROM "PromptTopic" l JOIN "Topic" t ON t.id = l."topicId"
         WHERE l."promptId" = p.id) AS topics,
       (SELECT coalesce(json_agg(l ORDER BY l."countryCode", l.city, l.id), '[]')
          FROM "PromptLocation" b JOIN "Location" l ON l.id = b."locationId"
         WHERE b."promptId" = p.id) AS locations,
       (SELECT r.text FROM "PromptRevision" r
         WHERE r."promptId" = p.id AND r.revision = 1) AS "firstText"
  FROM unnest($1::uuid[]) AS p (id)`

export const revisionsByPrompt = `
SELECT "promptId", revision, text, change::text, "createdAt"
  FROM "PromptRevision"
 WHERE "promptId" = ANY($1::uuid[])
 ORDER BY revision DESC`

/** Prompts that have the terms of a search: the tracked ones, newest first, then the others. */
export const promptHits = `
SELECT id, text AS name FROM "Prompt"
 WHERE "projectId" = $1::uuid AND ${hasTerms('text')}
 ORDER BY "isTracked" DESC, "createdAt" DESC, id
 LIMIT $3::int`
