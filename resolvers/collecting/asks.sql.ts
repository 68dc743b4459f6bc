/** Sums of fractions differ in their last digits. */
const slack = '1e-9'

/**
 * Stores that the questions `$3` are being asked at the times `$4`, and reserves `$2` dollars for each on the day `$5`.
 * Only the first ones, which the caps of the project `$1` allow, begin and are returned. Null as `$2` fits under no cap.
 * The lock of the budget orders those that reserve at once. A day that is over never replaces a later one.
 */
export const beginAsks = `
WITH budget AS MATERIALIZED (
  SELECT id, greatest(day, $5::date) AS day,
         CASE WHEN day >= $5::date THEN "daySpent" ELSE 0 END AS "daySpent",
         CASE WHEN month >= date_trunc('month', $5::date) THEN "monthSpent" ELSE 0 END AS "monthSpent",
         "dayCap", "monthCap"
    FROM "CollectingBudget"
   WHERE id = $1::uuid
     FOR UPDATE),
room AS MATERIALIZED (
  SELECT *, coalesce(least("dayCap" - "daySpent", "monthCap" - "monthSpent"), 'infinity') + ${slack} AS dollars
    FROM budget),
granted AS MATERIALIZED (
  SELECT *, CASE
           WHEN dollars = 'infinity' THEN cardinality($3::uuid[])
           WHEN $2::float8 IS NULL OR dollars < $2::float8 THEN 0
           ELSE least(cardinality($3::uuid[]), coalesce(floor(dollars / nullif($2::float8, 0)), 'infinity'))
         END AS count
    FROM room),
moved AS (
  UPDATE "CollectingBudget" c
     SET day = g.day, month = date_trunc('month', g.day),
         "daySpent" = g."daySpent" + g.count * coalesce($2::float8, 0),
         "monthSpent" = g."monthSpent" + g.count * coalesce($2::float8, 0)
    FROM granted g
   WHERE c.id = g.id AND g.count > 0)
UPDATE "Ask" a
   SET attempts = attempts + 1, "askedAt" = asked.at, "reservedOn" = g.day,
       reserved = CASE WHEN g.id IS NOT NULL THEN coalesce($2::float8, 0) END
  FROM unnest($3::uuid[], $4::timestamptz[]) WITH ORDINALITY AS asked (id, at, place)
  LEFT JOIN granted g ON true
 WHERE a.id = asked.id AND (g.id IS NULL OR asked.place <= g.count)
RETURNING a.id::text AS id`

/**
 * Ends questions of the project `$1` that wait, as the objects of `$2` say. What a reply cost replaces what its question
 * had reserved. A reply of unknown cost leaves it so, and a question without a reply gives it back. `waiting` is a
 * question that is to be asked again. What was reserved for a day that is over changes the sums of no other day.
 */
export const endAsks = `
WITH given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (
    id uuid, state "AskState", outcome "AskOutcome", reason text, "askedAt" timestamptz, "endedAt" timestamptz,
    cost float8, "inputTokens" int, "outputTokens" int)),
change AS MATERIALIZED (
  SELECT a."reservedOn" AS day,
         CASE WHEN g.outcome IS NULL THEN 0 ELSE coalesce(g.cost, a.reserved, 0) END - coalesce(a.reserved, 0) AS dollars
    FROM given g JOIN "Ask" a ON a.id = g.id
   WHERE a.state = 'waiting'),
budget AS MATERIALIZED (SELECT id, day, month FROM "CollectingBudget" WHERE id = $1::uuid FOR UPDATE),
sums AS MATERIALIZED (
  SELECT b.id,
         sum(c.dollars) FILTER (WHERE coalesce(c.day, b.day) = b.day) AS "ofDay",
         sum(c.dollars) FILTER (WHERE date_trunc('month', coalesce(c.day, b.day)) = b.month) AS "ofMonth"
    FROM budget b CROSS JOIN change c
   GROUP BY b.id),
moved AS (
  UPDATE "CollectingBudget" b
     SET "daySpent" = b."daySpent" + coalesce(s."ofDay", 0), "monthSpent" = b."monthSpent" + coalesce(s."ofMonth", 0)
    FROM sums s
   WHERE b.id = s.id)
UPDATE "Ask" a
   SET state = g.state, outcome = g.outcome, reason = g.reason, "askedAt" = coalesce(g."askedAt", a."askedAt"),
       "endedAt" = g."endedAt", cost = g.cost, "inputTokens" = g."inputTokens", "outputTokens" = g."outputTokens",
       reserved = NULL, "reservedOn" = NULL
  FROM given g
 WHERE a.id = g.id AND a.state = 'waiting'`
