import { pathKey } from '../shared/spellings/paths.sql.ts'

/** Statements over web analytics, for any number of projects. Every value is bound. */

const where =
  'project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND w.sessions > 0'

/** Billionths keep the numerators whole numbers, and more digits than any export has. */
const counts = `
       sum(w.sessions) AS sessions, sum(w.users) AS users,
       toUInt64(round(sum(bounced_sessions) * 1e9)) AS bouncedBillionths,
       toUInt64(round(sum(duration_seconds) * 1e9)) AS durationNs`

export const sessionsByDay = `
SELECT toString(project_id) AS projectId, toString(day) AS date, ${counts}
  FROM web_analytics AS w FINAL WHERE ${where}
 GROUP BY project_id, day`

/** Sessions without a landing page have no row. */
export const sessionsByPage = `
SELECT toString(project_id) AS projectId, ${pathKey('page')} AS path,
       count() OVER (PARTITION BY project_id) AS total, ${counts}
  FROM web_analytics AS w FINAL WHERE ${where} AND page != ''
 GROUP BY project_id, path
 ORDER BY sessions DESC, path
 LIMIT {offset:UInt64}, {limit:UInt64} BY project_id`

export const aiSessionsBySource = `
SELECT toString(project_id) AS projectId, platform, source,
       sum(w.sessions) AS sessions, sum(w.users) AS users, count() OVER (PARTITION BY project_id) AS total
  FROM web_analytics AS w FINAL WHERE ${where} AND platform != ''
 GROUP BY project_id, platform, source
 ORDER BY sessions DESC, platform, source
 LIMIT {offset:UInt64}, {limit:UInt64} BY project_id`
