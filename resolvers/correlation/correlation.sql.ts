import { dailyRows } from '../shared/facts.sql.ts'
import { pathKey } from '../shared/spellings/paths.sql.ts'

/** Crawls, referrals and citations by a common key. Every value is bound. */

const keyOf = {
  path: {
    crawls: pathKey('path'),
    sessions: pathKey('page'),
    // A session without a landing page has no path.
    isKnown: "AND page != ''",
    citations: pathKey("replaceRegexpOne(url, '^https?://[^/?#]*([^?#]*).*$', '\\\\1')"),
  },
  platform: { crawls: 'platform', sessions: 'platform', isKnown: '', citations: 'platform' },
} as const

export type JoinedKey = keyof typeof keyOf

/**
 * Crawls, AI-referral sessions and citations of own pages by one key, most crawls first. `crawls` and `facts` are
 * WHERE clauses.
 */
export function joinedPage(
  by: JoinedKey,
  { crawls, facts, hasHosts }: { crawls: string; facts: string; hasHosts: boolean },
): string {
  const key = keyOf[by]
  const onHosts = hasHosts ? 'AND host IN {hosts:Array(String)}' : ''
  return `
SELECT key, sum(crawled) AS crawls, sum(referred) AS referrals, sum(cited) AS citations,
       count() OVER () AS total
  FROM (
    SELECT ${key.crawls} AS key, count() AS crawled, 0 AS referred, 0 AS cited
      FROM crawler_hits WHERE ${crawls} GROUP BY key
     UNION ALL
    SELECT ${key.sessions}, 0, sum(w.sessions), 0
      FROM web_analytics AS w FINAL
     WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date}
       AND ${dailyRows} AND platform != '' ${key.isKnown} ${onHosts}
     GROUP BY 1
     UNION ALL
    SELECT ${key.citations}, 0, 0, count()
      FROM citations WHERE ${facts} AND domain IN {ownDomains:Array(String)} ${onHosts}
     GROUP BY 1)
 GROUP BY key
HAVING crawls + referrals + citations > 0
 ORDER BY crawls DESC, referrals DESC, citations DESC, key
 LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}

const columnOf = { botCategory: 'bot_category', botName: 'bot_name' } as const

export type BotKey = keyof typeof columnOf

/** Crawls by a key that only crawls have. */
export function botPage(by: BotKey, crawls: string): string {
  return `
SELECT ${columnOf[by]} AS key, count() AS crawls, count() OVER () AS total
  FROM crawler_hits WHERE ${crawls}
 GROUP BY key
 ORDER BY crawls DESC, key
 LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}
