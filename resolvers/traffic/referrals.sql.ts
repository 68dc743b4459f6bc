/** Statements over AI-referral sessions. Every value is bound. */

/** The WHERE clause of AI-referral sessions, with an optional filter on hosts. */
const aiSessions = (hasHosts: boolean) =>
  `project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND platform != ''
   AND w.sessions > 0 ${hasHosts ? 'AND host IN {hosts:Array(String)}' : ''}`

export const sessionsByPlatform = (hasHosts: boolean) => `
SELECT toString(project_id) AS projectId, platform, sum(w.sessions) AS sessions
  FROM web_analytics AS w FINAL WHERE ${aiSessions(hasHosts)}
 GROUP BY project_id, platform
 ORDER BY sessions DESC, platform`

const keysOf = {
  both: { keys: ['platform', 'page'], select: "platform, nullIf(page, '') AS landingPath" },
  platform: { keys: ['platform'], select: 'platform' },
  landingPath: { keys: ['page'], select: "nullIf(page, '') AS landingPath" },
} as const

export type AttributionKey = keyof typeof keysOf

/** Conversions are null when no row has them. A session without a landing page has no path. */
export function attribution(by: AttributionKey, hasHosts: boolean): string {
  const { keys, select } = keysOf[by]
  return `
SELECT toString(project_id) AS projectId, ${select},
       sum(w.sessions) AS sessions, sum(w.conversions) AS conversions
  FROM web_analytics AS w FINAL WHERE ${aiSessions(hasHosts)}
 GROUP BY ${['project_id', ...keys].join(', ')}
 ORDER BY sessions DESC, ${keys.join(', ')}
 LIMIT {limit:UInt64} BY project_id`
}
