import { checks } from '../../core/checks/checks.ts'
import { type Column, count, day, dimension } from './column.sql.ts'

/** The fields of issues and opportunities: rows `w` of their tables in the catalog. */

/** The ids of checks are constants of the catalogue of checks. A check that it no longer has is technical. */
const category = `CASE ${['content', 'aiReadiness']
  .map((name) => {
    const ids = checks.filter((check) => check.category === name).map(({ id }) => `'${id}'`)
    return `WHEN w."check" IN (${ids.join(', ')}) THEN '${name}'`
  })
  .join(' ')} ELSE 'technical' END`

export const issueColumns: readonly Column[] = [
  dimension('issueId', 'Issue ID', 'w.id::text'),
  dimension('type', 'Check', 'w."check"'),
  dimension('category', 'Category', category),
  dimension('severity', 'Severity', 'w.severity::text'),
  dimension('status', 'Status', 'w.status::text'),
  dimension('resolution', 'Resolution', 'w.resolution::text'),
  dimension('url', 'URL', 'w.url'),
  dimension('pageId', 'Page ID', 'w."pageId"::text'),
  day('firstSeenAt', 'First seen on', 'w."firstSeenAt"'),
  day('lastSeenAt', 'Last seen on', 'w."lastSeenAt"'),
  day('resolvedAt', 'Resolved on', 'w."resolvedAt"'),
  count('issues', 'Issues', 'count(*)::int'),
  count('affectedCount', 'Affected', 'sum(w."affectedCount")::double precision'),
  count('reach', 'Reach', 'sum(w.reach)::double precision'),
]

export const opportunityColumns: readonly Column[] = [
  dimension('opportunityId', 'Opportunity ID', 'w.id::text'),
  dimension('title', 'Title', 'w.title'),
  dimension('source', 'Source', 'w.source'),
  dimension('category', 'Category', 'w.category'),
  dimension('scope', 'Scope', 'w.scope'),
  dimension('actionType', 'Action', 'w."actionType"'),
  dimension('impact', 'Impact', 'w.impact::text'),
  dimension('status', 'Status', 'w.status::text'),
  day('createdAt', 'Created on', 'w."createdAt"'),
  day('updatedAt', 'Updated on', 'w."updatedAt"'),
  day('completedAt', 'Completed on', 'w."completedAt"'),
  day('dismissedAt', 'Dismissed on', 'w."dismissedAt"'),
  day('autoResolvedAt', 'Resolved on', 'w."autoResolvedAt"'),
  count('opportunities', 'Opportunities', 'count(*)::int'),
]
