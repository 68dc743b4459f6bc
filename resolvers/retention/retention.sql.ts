import type { KeptKind } from '../../core/retention.ts'

/** Tables of the warehouse that people know a kind by, and the day of their rows. */
const counted = {
  answers: [['answers', 'day']],
  crawlerHits: [['crawler_hits', 'day']],
  analytics: [
    ['search_console', 'day'],
    ['web_analytics', 'day'],
  ],
  pageContents: [['page_contents', 'toDate(fetched_at)']],
} as const satisfies Partial<Record<KeptKind, readonly (readonly [string, string])[]>>

export type CountedKind = keyof typeof counted
export const countedKinds = Object.keys(counted) as CountedKind[]

/** Rows of some kinds before the first kept day of each. Binds `projects`, and the day under the name of its kind. */
export function olderRows(kinds: readonly CountedKind[]): string {
  const each = kinds.flatMap((kind) =>
    counted[kind].map(
      ([table, day]) => `
SELECT '${kind}' AS kind, count() AS rows FROM ${table}
 WHERE project_id IN {projects:Array(UUID)} AND ${day} < {${kind}:Date}`,
    ),
  )
  return `SELECT kind, toUInt64(sum(rows)) AS rows FROM (${each.join(' UNION ALL')}) GROUP BY kind`
}

/**
 * Audits `a` that ended and were created before `$1`. An audit stays while it is the newest of its project, or the newest of
 * one of its pages: reports show it as the state of today.
 */
export const olderAudit = `a."createdAt" < $1::date AND a.status IN ('completed', 'failed')
     AND EXISTS (SELECT 1 FROM "Audit" b
                  WHERE b."projectId" = a."projectId" AND b.seq > a.seq AND b.status = 'completed')
     AND NOT EXISTS (
       SELECT 1 FROM "AuditPage" p
        WHERE p."auditId" = a.id AND NOT EXISTS (
          SELECT 1 FROM "AuditPage" q JOIN "Audit" b ON b.id = q."auditId"
           WHERE q."pageId" = p."pageId" AND b.seq > a.seq AND b.status = 'completed'))`

/** Audits of the projects `$2` that go. */
export const olderAudits = `SELECT count(*)::int AS rows FROM "Audit" a WHERE a."projectId" = ANY($2::uuid[]) AND ${olderAudit}`
