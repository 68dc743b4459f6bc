const inDay = `CASE WHEN day = $3::date THEN "daySpent" ELSE 0 END`
const inMonth = `CASE WHEN month = date_trunc('month', $3::date) THEN "monthSpent" ELSE 0 END`
/** Sums of fractions differ in their last digits. */
const slack = '1e-9'

/**
 * Reserves `$2` dollars of the project `$1` on the day `$3`, where its caps allow it. The row lock orders those that
 * reserve at once. Null as `$2` never fits. A project without caps needs no reservation.
 */
export const reserve = `
WITH reserved AS (
  UPDATE "CollectingBudget"
     SET "daySpent" = ${inDay} + $2::float8, "monthSpent" = ${inMonth} + $2::float8,
         day = $3::date, month = date_trunc('month', $3::date)
   WHERE id = $1::uuid
     AND ("dayCap" IS NULL OR ${inDay} + $2::float8 <= "dayCap" + ${slack})
     AND ("monthCap" IS NULL OR ${inMonth} + $2::float8 <= "monthCap" + ${slack})
     AND $2::float8 IS NOT NULL
  RETURNING 1)
SELECT EXISTS (SELECT FROM reserved)
    OR NOT EXISTS (SELECT FROM "CollectingBudget" WHERE id = $1::uuid) AS allowed`

/** Adds `$2` dollars to the sums that the day `$3` belongs to. */
export const settle = `
UPDATE "CollectingBudget"
   SET "daySpent" = "daySpent" + CASE WHEN day = $3::date THEN $2::float8 ELSE 0 END,
       "monthSpent" = "monthSpent" +
         CASE WHEN month = date_trunc('month', $3::date) THEN $2::float8 ELSE 0 END
 WHERE id = $1::uuid`

/** What replies of the projects `$1` cost on the UTC day of `$2`, and in its month. */
export const spentSoFar = `
SELECT r."projectId"::text AS id,
       coalesce(sum(cost) FILTER (WHERE "endedAt" >= $2::date), 0)::float8 AS today,
       coalesce(sum(cost), 0)::float8 AS "thisMonth"
  FROM "Ask" a JOIN "Run" r ON r.id = a."runId"
 WHERE r."projectId" = ANY ($1::uuid[]) AND a."endedAt" >= date_trunc('month', $2::date)
 GROUP BY r."projectId"`

const spentIn = `
  FROM "Ask" a JOIN "Run" r ON r.id = a."runId"
 WHERE r."projectId" = ANY ($1::uuid[])
   AND a."endedAt" >= $2::date AND a."endedAt" < $3::date + 1`

const sums = `count(*)::int AS questions, (count(*) - count(cost))::int AS unpriced,
       coalesce(sum(cost), 0)::float8 AS cost`

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
