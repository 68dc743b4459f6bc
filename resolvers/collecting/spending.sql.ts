/** What replies and proposals of the projects `$1` cost on the UTC day of `$2`, and in its month. */
export const spentSoFar = `
WITH paid AS (
  SELECT r."projectId", a.cost, a."endedAt"
    FROM "Ask" a JOIN "Run" r ON r.id = a."runId"
   WHERE r."projectId" = ANY ($1::uuid[]) AND a."endedAt" >= date_trunc('month', $2::date)
  UNION ALL
  SELECT "projectId", cost, "endedAt"
    FROM "ProposalCost"
   WHERE "projectId" = ANY ($1::uuid[]) AND "endedAt" >= date_trunc('month', $2::date))
SELECT "projectId"::text AS id,
       round(coalesce(sum(cost) FILTER (WHERE "endedAt" >= $2::date), 0)::numeric, 6)::float8 AS today,
       round(coalesce(sum(cost), 0)::numeric, 6)::float8 AS "thisMonth"
  FROM paid
 GROUP BY "projectId"`

const spentIn = `
  FROM "Ask" a JOIN "Run" r ON r.id = a."runId"
 WHERE r."projectId" = ANY ($1::uuid[])
   AND a."endedAt" >= $2::date AND a."endedAt" < $3::date + 1`

const sums = `count(*)::int AS questions, (count(*) - count(cost))::int AS unpriced,
       round(coalesce(sum(cost), 0)::numeric, 6)::float8 AS cost`

/** What questions of the projects `$1` cost that ended on the days from `$2` to `$3`, by provider and model. */
export const costByProvider = `
SELECT r."projectId"::text AS "projectId", provider::text AS provider, model, ${sums} ${spentIn}
 GROUP BY r."projectId", provider, model
 ORDER BY cost DESC, provider, model`

/** The same by prompt. The text is the newest one that was asked. */
export const costByPrompt = `
SELECT r."projectId"::text AS "projectId", "promptId"::text AS "promptId",
       (array_agg(prompt ORDER BY "endedAt" DESC))[1] AS prompt, ${sums} ${spentIn}
 GROUP BY r."projectId", "promptId"
 ORDER BY cost DESC, "promptId"`
