import { dailyRows } from '../shared/facts.sql.ts'
import { pathKey } from '../shared/spellings/paths.sql.ts'

/** Statements over web analytics, for any number of projects. Every value is bound. */

const ofWindow =
  'project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND sessions > 0'

/**
 * Rows by day. A project without any counts totals of exactly this window, which are on its last day. Users, bounces and
 * durations that an export lacks are null; the last two have the sessions that they are known of.
 */
const where = `${ofWindow.replace('sessions', 'w.sessions')}
   AND (${dailyRows} OR (day = {to:Date} AND startsWith(part, concat('from ', toString({from:Date})))
        AND project_id NOT IN (SELECT project_id FROM web_analytics WHERE ${ofWindow} AND ${dailyRows})))`

/** Billionths keep the numerators whole numbers, and more digits than any export has. */
const counts = `
       sum(w.sessions) AS sessions, ifNull(sum(w.users), 0) AS users,
       sumIf(w.sessions, bounced_sessions IS NOT NULL) AS bounceSessions,
       sumIf(w.sessions, duration_seconds IS NOT NULL) AS timedSessions,
       toUInt64(round(ifNull(sum(bounced_sessions), 0) * 1e9)) AS bouncedBillionths,
       toUInt64(round(ifNull(sum(duration_seconds), 0) * 1e9)) AS durationNs`

/** Totals of a period are of no day: their date is empty. */
export const sessionsByDay = `
SELECT toString(project_id) AS projectId, if(${dailyRows}, toString(day), '') AS date, ${counts}
  FROM web_analytics AS w FINAL WHERE ${where}
 GROUP BY project_id, date`

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
       sum(w.sessions) AS sessions, ifNull(sum(w.users), 0) AS users, count() OVER (PARTITION BY project_id) AS total
  FROM web_analytics AS w FINAL WHERE ${where} AND platform != ''
 GROUP BY project_id, platform, source
 ORDER BY sessions DESC, platform, source
 LIMIT {offset:UInt64}, {limit:UInt64} BY project_id`

/** The windows that have totals and no days, the newest first. */
export const sessionPeriods = `
SELECT DISTINCT toString(project_id) AS projectId, substring(part, 6, 10) AS first, toString(day) AS last
  FROM web_analytics FINAL
 WHERE project_id IN {projects:Array(UUID)} AND NOT (${dailyRows})
 ORDER BY last DESC, first DESC`
