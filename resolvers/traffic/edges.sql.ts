import { pathKey } from '../shared/spellings/paths.sql.ts'

/** The pages that each crawler reads most. `crawls` is the WHERE clause of `crawlsWhere`. */
export const pagesOfBots = (crawls: string) => `
SELECT toString(project_id) AS projectId, bot_id AS botId, host, ${pathKey('path')} AS page, count() AS visits,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs, count() OVER (PARTITION BY project_id, bot_id) AS total
  FROM crawler_hits WHERE ${crawls} AND bot_id IN {bots:Array(UInt16)}
 GROUP BY project_id, bot_id, host, page
 ORDER BY visits DESC, host, page
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY project_id, bot_id`

/** The hits of each crawler by what their addresses prove. */
export const verificationOfBots = (crawls: string) => `
SELECT toString(project_id) AS projectId, bot_id AS botId, countIf(verification = 'verified' AND signed_by = '') AS verified,
       countIf(verification = 'claimed') AS claimed, countIf(verification = 'impostor') AS impostor,
       countIf(signed_by != '') AS signed
  FROM crawler_hits WHERE ${crawls} AND bot_id IN {bots:Array(UInt16)}
 GROUP BY project_id, bot_id`
