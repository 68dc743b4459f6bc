import { follows, type SortColumn, sortedBy } from '../shared/lists/keyset.ts'

/** The schedule that is due first at `$1`, without those of `$2`. */
export const dueSchedule = `
SELECT id::text AS id FROM "Schedule" WHERE "nextRunAt" <= $1::timestamptz AND id <> ALL ($2::uuid[])
 ORDER BY "nextRunAt", id LIMIT 1`

/** Locks the schedule `$1` where it is due at `$2`, and no other worker holds it. */
export const lockDue = `
SELECT id::text AS id FROM "Schedule" WHERE id = $1::uuid AND "nextRunAt" <= $2::timestamptz
   FOR UPDATE SKIP LOCKED`

/** The newest run of each schedule of `$1`. */
export const newestRuns = `
SELECT DISTINCT ON ("scheduleId") id::text AS id FROM "Run"
 WHERE "scheduleId" = ANY ($1::uuid[]) ORDER BY "scheduleId", "createdAt" DESC, id DESC`

const byCreation: readonly SortColumn[] = [
  { column: 'r."createdAt"', type: 'timestamptz', isDescending: true },
  { column: 'r.id', type: 'uuid', isDescending: true },
]

/** A page of the runs of each schedule of `$1`, newest first: `$2` rows after the row of `$3`. */
export const runsOfEach = `
SELECT found.* FROM unnest($1::uuid[]) AS s (id)
 CROSS JOIN LATERAL (
   SELECT r.* FROM "Run" r WHERE r."scheduleId" = s.id AND ${follows(byCreation, '$3')}
    ORDER BY ${sortedBy(byCreation)} LIMIT $2) found`

/** The number of runs of each schedule of `$1`. */
export const countedRuns = `
SELECT "scheduleId"::text AS id, count(*)::int AS count FROM "Run"
 WHERE "scheduleId" = ANY ($1::uuid[]) GROUP BY "scheduleId"`

const byTime: readonly SortColumn[] = [
  { column: 'a."askedAt"', type: 'timestamptz', isDescending: true },
  { column: 'a."answerId"', type: 'uuid' },
]

/** A page of the shown answers of each run of `$1`, newest first: `$2` rows after the row of `$3`. */
export const answersOfEachRun = `
SELECT found.* FROM unnest($1::uuid[]) AS r (id)
 CROSS JOIN LATERAL (
   SELECT a."runId"::text AS "runId", a."answerId"::text AS "answerId" FROM "Ask" a
    WHERE a."runId" = r.id AND a."answerId" IS NOT NULL AND ${follows(byTime, '$3')}
    ORDER BY ${sortedBy(byTime)} LIMIT $2) found`

/** The number of shown answers of each run of `$1`. */
export const countedAnswers = `
SELECT "runId"::text AS id, count("answerId")::int AS count FROM "Ask"
 WHERE "runId" = ANY ($1::uuid[]) GROUP BY "runId"`

/** The run that asked for each answer of `$1`. */
export const runsOfAnswers = `
SELECT DISTINCT ON (a."answerId") a."answerId"::text AS "answerId", r.*
  FROM "Ask" a JOIN "Run" r ON r.id = a."runId"
 WHERE a."answerId" = ANY ($1::uuid[]) ORDER BY a."answerId", r."createdAt"`
