/** Statements over facts about pages of the site. Every value is bound. */

/**
 * Answers that cite each own URL, by platform. `facts` is the WHERE clause of citations; `domains` are the own
 * domains.
 */
export const citingAnswers = (facts: string) => `
SELECT url, platform, count() AS answers
  FROM citations WHERE ${facts} AND domain IN {domains:Array(String)}
 GROUP BY url, platform`

/** The path decoded and without its trailing slash: all spellings are one page. */
const pageKey = `decodeURLComponent(if(trim(TRAILING '/' FROM path) = '', '/', trim(TRAILING '/' FROM path)))`

/** Requests of AI crawlers. */
const aiHits = `
project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date}
   AND event_name = 'server_request' AND bot_category != 'search_engine'`

/** Requests of AI crawlers by page. */
export const hitsByPage = `
SELECT host, ${pageKey} AS page, count() AS hits FROM crawler_hits WHERE ${aiHits}
 GROUP BY host, page`
