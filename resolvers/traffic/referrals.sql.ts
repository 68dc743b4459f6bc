import type { HistoryInterval } from '../../core/buckets.ts'
import { bucketDay } from '../shared/buckets.sql.ts'
import { dailyRows } from '../shared/facts.sql.ts'
import { pathKey } from '../shared/spellings/paths.sql.ts'

/** Statements over AI-referral sessions. Every value is bound. */

/** The WHERE clause of AI referrals, with an optional filter on hosts. */
const aiReferrals = (hasHosts: boolean) =>
  `project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date} AND ${dailyRows} AND platform != ''
   ${hasHosts ? 'AND host IN {hosts:Array(String)}' : ''}`

export const sessionsByPlatform = (hasHosts: boolean) => `
SELECT toString(project_id) AS projectId, platform, sum(w.sessions) AS sessions
  FROM web_analytics AS w FINAL WHERE ${aiReferrals(hasHosts)} AND w.sessions > 0
 GROUP BY project_id, platform
 ORDER BY sessions DESC, platform`

export const sessionsByStep = (interval: HistoryInterval, hasHosts: boolean) => `
SELECT toString(project_id) AS projectId, platform, toString(${bucketDay[interval]}) AS date, sum(w.sessions) AS sessions
  FROM web_analytics AS w FINAL WHERE ${aiReferrals(hasHosts)} AND w.sessions > 0
 GROUP BY project_id, platform, ${bucketDay[interval]}
 ORDER BY date, platform`

/** A session without a landing page has no path. */
const landing = `if(page = '', '', ${pathKey('page')}) AS landing`

const keysOf = {
  both: {
    keys: ['platform', 'landing'],
    select: `platform, ${landing}, nullIf(landing, '') AS landingPath`,
  },
  platform: { keys: ['platform'], select: 'platform' },
  landingPath: { keys: ['landing'], select: `${landing}, nullIf(landing, '') AS landingPath` },
} as const

export type AttributionKey = keyof typeof keysOf

/**
 * Conversions are null when no row has them. A conversion counts without a session too: it may follow on a later day
 * than the session that led to it.
 */
export function attribution(by: AttributionKey, hasHosts: boolean): string {
  const { keys, select } = keysOf[by]
  return `
SELECT toString(project_id) AS projectId, ${select},
       sum(w.sessions) AS sessions, sum(w.conversions) AS conversions
  FROM web_analytics AS w FINAL WHERE ${aiReferrals(hasHosts)}
   AND (w.sessions > 0 OR w.conversions > 0)
 GROUP BY ${['project_id', ...keys].join(', ')}
 ORDER BY sessions DESC, ${keys.join(', ')}
 LIMIT {limit:UInt64} BY project_id`
}
