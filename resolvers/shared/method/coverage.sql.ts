import type { Slice } from '../scope.ts'

/** The columns of questions that divide them as a slice divides answers. */
const sliceColumns = {
  topic: 'pt."topicId"',
  prompt: 'a."promptId"',
  platform: 'a.platform',
  location: 'a."locationId"',
} as const

export type CoveredSlice = keyof typeof sliceColumns

export const isCovered = (by: Slice['by'] | undefined): by is CoveredSlice | undefined =>
  by === undefined || by in sliceColumns

/** The UTC day that a question counts on: that of its answer, or of its end, or of its run. */
const day = `(coalesce(a."askedAt", a."endedAt", r."createdAt") AT TIME ZONE 'UTC')::date`

/** Reports show answers of runs that have completed, and some runs show each answer as it comes. */
const isShown = `(a.state = 'answered' AND (r.status = 'completed' OR a."answerId" IS NOT NULL))`
const isWaiting = `(r.status IN ('queued', 'running') AND a.state IN ('waiting', 'answered') AND NOT ${isShown})`
const isAbsent = `a.state = 'absent'`

/**
 * Questions of the projects `$1` on the days from `$2` to `$3`, by provider. Null as `$4`, the platforms, `$5`, the models,
 * and `$6`, the prompts, filters nothing. `$7` are the slices. Null as `$8`, the locations,
 * `$9`, the countries, and `$10`, whether the platform is among `$11`, filters nothing.
 */
export function questionsCovered(by: CoveredSlice | undefined): string {
  const slice = by && sliceColumns[by]
  const count = (where: string) => `(count(*) FILTER (WHERE ${where}))::int`
  const absent = (outcome: string) => count(`${isAbsent} AND a.outcome = '${outcome}'`)
  return `
SELECT r."projectId"::text AS "projectId", ${slice ? `${slice}::text AS slice, ` : ''}
       a.provider::text AS provider, count(*)::int AS asked, ${count(isWaiting)} AS waiting,
       ${count(isShown)} AS answered, ${count(isAbsent)} AS absent,
       ${count(`NOT (${isShown} OR ${isAbsent} OR ${isWaiting})`)} AS failed,
       ${absent('refused')} AS refused, ${absent('filtered')} AS filtered,
       ${absent('empty')} AS empty, ${absent('not_shown')} AS "notShown"
  FROM "Run" r
  JOIN "Ask" a ON a."runId" = r.id
  ${by === 'topic' ? 'JOIN "PromptTopic" pt ON pt."promptId" = a."promptId"' : ''}
 WHERE r."projectId" = ANY ($1::uuid[])
   AND r."createdAt" < $3::date + 2 AND r."deadlineAt" >= $2::date - 1
   AND ${day} BETWEEN $2::date AND $3::date
   AND ($4::text[] IS NULL OR a.platform = ANY ($4) OR a.model = ANY ($5::text[]))
   AND ($6::uuid[] IS NULL OR a."promptId" = ANY ($6))
   AND ($8::uuid[] IS NULL OR a."locationId" = ANY ($8))
   AND ($9::text[] IS NULL OR a.place ->> 'countryCode' = ANY ($9))
   AND ($10::boolean IS NULL OR (a.platform = ANY ($11::text[])) = $10)
   AND ($7::text[] IS NULL ${slice ? `OR ${slice}::text = ANY ($7)` : ''})
 GROUP BY r."projectId", ${slice ? `${slice}, ` : ''}a.provider
 ORDER BY a.provider`
}
