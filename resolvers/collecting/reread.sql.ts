const state = `jsonb_build_object('state', a.state, 'outcome', a.outcome, 'reason', a.reason, 'answerId', a."answerId")`

/** Ends the questions of the JSON array `$2` again. The import `$1` keeps how they had ended. */
export const endAgain = `
WITH given AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(id uuid, state text, outcome text, reason text, "answerId" uuid)),
saved AS (
  INSERT INTO "ImportedRecord" ("importId", "table", "key", "before")
  SELECT $1::uuid, 'Ask', a.id::text, ${state} FROM "Ask" a JOIN given g ON g.id = a.id)
UPDATE "Ask" a
   SET state = g.state::"AskState", outcome = g.outcome::"AskOutcome", reason = g.reason, "answerId" = g."answerId"
  FROM given g
 WHERE a.id = g.id`

/** What the imports `$2` keep of the questions that the import `$1` ended becomes what that one had found. */
export const passOn = `
UPDATE "ImportedRecord" later SET "before" = this."before"
  FROM "ImportedRecord" this
 WHERE this."importId" = $1::uuid AND this."table" = 'Ask'
   AND later."table" = 'Ask' AND later."key" = this."key"
   AND later."importId" = (
     SELECT r."importId" FROM unnest($2::uuid[]) WITH ORDINALITY AS i(id, at)
       JOIN "ImportedRecord" r ON r."importId" = i.id AND r."table" = 'Ask' AND r."key" = this."key"
      ORDER BY i.at LIMIT 1)`

/** Ends the questions as before the import `$1`, unless one of the imports `$2` has ended them since. */
export const endAsBefore = `
WITH gone AS (
  DELETE FROM "ImportedRecord" WHERE "importId" = $1::uuid AND "table" = 'Ask' RETURNING "key", "before")
UPDATE "Ask" a
   SET state = (g."before" ->> 'state')::"AskState", outcome = (g."before" ->> 'outcome')::"AskOutcome",
       reason = g."before" ->> 'reason', "answerId" = (g."before" ->> 'answerId')::uuid
  FROM gone g
 WHERE a.id = g."key"::uuid
   AND NOT EXISTS (SELECT FROM "ImportedRecord" r
                    WHERE r."importId" = ANY ($2::uuid[]) AND r."table" = 'Ask' AND r."key" = g."key")`
