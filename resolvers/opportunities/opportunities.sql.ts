import { follows, sortedBy } from '../shared/lists/keyset.ts'

/** Statements over the catalog. `$1` is the project. */

/** The prompts of the project with their topics. */
export const promptTexts = `
SELECT p.id, p.text, p."isTracked",
       coalesce(array_agg(t."topicId") FILTER (WHERE t."topicId" IS NOT NULL), '{}') AS "topicIds"
  FROM "Prompt" p
  LEFT JOIN "PromptTopic" t ON t."promptId" = p.id
 WHERE p."projectId" = $1::uuid
 GROUP BY p.id`

/** The tracked pages among the URLs in `$2`. */
export const trackedUrls = `
SELECT url FROM "Page" WHERE "projectId" = $1::uuid AND "isTracked" AND url = ANY($2::text[])`

/** The titles of tracked pages, and the main headings that the newest audit of each page read. */
export const trackedTitles = `
SELECT title FROM "Page" WHERE "projectId" = $1::uuid AND "isTracked" AND title <> ''
UNION ALL
SELECT jsonb_array_elements_text(newest.h1)
  FROM "Page" p
  CROSS JOIN LATERAL (
    SELECT r.reading->'document'->'h1' AS h1
      FROM "AuditPage" r
      JOIN "Audit" a ON a.id = r."auditId" AND a.status = 'completed'
     WHERE r."pageId" = p.id AND r.status = 'completed'
     ORDER BY a.seq DESC LIMIT 1) newest
 WHERE p."projectId" = $1::uuid AND p."isTracked" AND jsonb_typeof(newest.h1) = 'array'`

/** Open issues of the pages at the URLs in `$2`, worst first. */
export const openIssuesAt = `
SELECT i.id, i."check", i.severity::text, p.url, p.id AS "pageId"
  FROM "Issue" i
  JOIN "Page" p ON p.id = i."pageId"
 WHERE i."projectId" = $1::uuid AND i.status = 'open' AND p.url = ANY($2::text[])
 ORDER BY i.severity, i."check", i.id`

/** Open critical and high issues of the site as a whole. */
export const openSiteIssues = `
SELECT id, "check", severity::text, url
  FROM "Issue"
 WHERE "projectId" = $1::uuid AND status = 'open' AND "pageId" IS NULL
   AND severity IN ('critical', 'high')
 ORDER BY severity, "check", id
 LIMIT $2`

/** The number of tracked pages. */
export const trackedPages = `
SELECT count(*)::int AS tracked FROM "Page" WHERE "projectId" = $1::uuid AND "isTracked"`

/** Checks of severity medium and above with their open issues of pages, and the number of tracked pages. */
export const openChecks = `
SELECT "check", count(*)::int AS pages, sum(reach)::float8 AS reach,
       (SELECT count(*)::int FROM "Page" WHERE "projectId" = $1::uuid AND "isTracked") AS tracked,
       (array_agg(id ORDER BY reach DESC, url))[1:5] AS "issueIds",
       array_agg(url ORDER BY reach DESC, url) AS urls
  FROM "Issue"
 WHERE "projectId" = $1::uuid AND status = 'open' AND "pageId" IS NOT NULL AND severity <> 'low'
 GROUP BY "check"
 ORDER BY "check"`

/** Writes opportunities, an array of rows as JSON. */
export const putOpportunities = `
INSERT INTO "Opportunity"
SELECT * FROM jsonb_populate_recordset(NULL::"Opportunity", $1::jsonb)
    ON CONFLICT (id) DO UPDATE SET
       title = excluded.title, description = excluded.description, source = excluded.source,
       category = excluded.category, scope = excluded.scope, "actionType" = excluded."actionType",
       impact = excluded.impact, status = excluded.status, score = excluded.score, evidence = excluded.evidence,
       effort = excluded.effort, "effectMetric" = excluded."effectMetric", "effectValue" = excluded."effectValue",
       "effectAnswers" = excluded."effectAnswers", "effectShare" = excluded."effectShare", "effectReason" = excluded."effectReason",
       "dismissedReason" = excluded."dismissedReason", "dismissedImpact" = excluded."dismissedImpact",
       "completedAt" = excluded."completedAt", "dismissedAt" = excluded."dismissedAt",
       "autoResolvedAt" = excluded."autoResolvedAt", "goneAt" = excluded."goneAt", "updatedAt" = excluded."updatedAt"`

const asked = `
  FROM "Opportunity"
 WHERE "projectId" = $1::uuid
   AND ($2::text[] IS NULL OR status::text = ANY($2)) AND ($3::text[] IS NULL OR source = ANY($3))
   AND ($4::text[] IS NULL OR impact::text = ANY($4))`

const impact = { column: 'impact', type: '"Severity"' } as const
const newest = [
  { column: '"createdAt"', type: 'timestamptz', isDescending: true },
  { column: 'id', type: 'uuid' },
] as const

const score = { column: 'score', type: 'float8', isDescending: true } as const

/** One evaluation creates many at the same time: by `newest`, those of one impact come in the order of ids. */
const orders = {
  effect: [
    { column: '"effectAnswers"', type: 'float8', isDescending: true },
    { column: 'effort', type: '"Effort"' },
    score,
    ...newest,
  ],
  newest: [impact, ...newest],
  score: [impact, score, ...newest],
} as const

export type OpportunityOrder = keyof typeof orders

/**
 * A page of opportunities. `$2` to `$4` are statuses, sources and impacts, or null; `$7` is the row
 * before.
 */
export const opportunityPage = (order: OpportunityOrder) => `
SELECT * ${asked} AND ${follows(orders[order], '$7')}
 ORDER BY ${sortedBy(orders[order])}
 LIMIT $5 OFFSET $6`

/** The values that a row is sorted by. */
export const sortValues = (order: OpportunityOrder, row: Readonly<Record<string, unknown>>) =>
  orders[order].map(({ column }) => {
    const value = row[column.replaceAll('"', '')]
    return value instanceof Date ? value.toISOString() : (value as string | number)
  })

/** Opportunities by source and impact. */
export const opportunityCounts = `
SELECT source, impact::text, count(*)::int AS count ${asked}
 GROUP BY source, impact`
