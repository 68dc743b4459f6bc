/** Questions of each run of `$1` by provider and state, with what they cost. */
export const runCoverage = `
SELECT a."runId", a.provider::text AS provider, count(*)::int AS asked,
       (count(*) FILTER (WHERE a.state = 'waiting'))::int AS waiting,
       (count(*) FILTER (WHERE a.state = 'waiting' AND t.state = 'running'))::int AS running,
       (count(*) FILTER (WHERE a.state = 'waiting' AND t.state IN ('submitting', 'queued')))::int AS queued,
       (count(*) FILTER (WHERE a.state = 'answered'))::int AS answered,
       (count(*) FILTER (WHERE a.state = 'absent'))::int AS absent,
       (count(*) FILTER (WHERE a.state = 'failed'))::int AS failed,
       round(coalesce(sum(a.cost), 0)::numeric, 6)::float8 AS cost,
       round(coalesce(sum(t."expectedCost") FILTER (WHERE a.state = 'waiting'), 0)::numeric, 6)::float8 AS expected
  FROM "Ask" a LEFT JOIN "ProviderTask" t ON t."askId" = a.id
 WHERE a."runId" = ANY($1::uuid[])
 GROUP BY a."runId", a.provider
 ORDER BY a."runId", a.provider`

/** Sets the answers `$2` of the questions `$1`. */
export const showAnswers = `
UPDATE "Ask" a SET "answerId" = given.answer
  FROM unnest($1::uuid[], $2::uuid[]) AS given (ask, answer)
 WHERE a.id = given.ask AND a."answerId" IS DISTINCT FROM given.answer`

/** Why questions of each run of `$1` failed, by key, the most frequent reasons of a run first: at most ten. */
export const runProblems = `
SELECT * FROM (
  SELECT a."runId", a.provider::text AS provider, k.label, a.reason AS message, count(*)::int AS questions,
         row_number() OVER (PARTITION BY a."runId" ORDER BY count(*) DESC, a.reason, a."providerKeyId") AS place
    FROM "Ask" a LEFT JOIN "ProviderKey" k ON k.id = a."providerKeyId"
   WHERE a."runId" = ANY($1::uuid[]) AND a.state = 'failed' AND a.reason IS NOT NULL
   GROUP BY a."runId", a.provider, a."providerKeyId", k.label, a.reason) problems
 WHERE place <= 10
 ORDER BY "runId", place`
