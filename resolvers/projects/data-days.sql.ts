import { countedCrawls, dailyRows } from '../shared/facts.sql.ts'

/** The first and the last day with answers, for several projects. `facts` is the WHERE clause of `factsOf`. */
export function answerDays(facts: string): string {
  return `
SELECT toString(project_id) AS projectId, toString(min(day)) AS first, toString(max(day)) AS last
  FROM answers WHERE ${facts}
 GROUP BY project_id`
}

/** What a report counts, beside answers. */
const counted = {
  crawls: `crawler_hits WHERE ${countedCrawls} AND`,
  sessions: `web_analytics WHERE ${dailyRows} AND sessions > 0 AND`,
  search: `search_console WHERE engine = 'google' AND ${dailyRows} AND`,
  bingSearch: `search_console WHERE engine = 'bing' AND ${dailyRows} AND`,
} as const

export type CountedRows = keyof typeof counted

/** The first and the last day with such rows, for several projects. */
export function rowDays(of: CountedRows): string {
  return `
SELECT toString(project_id) AS projectId, toString(min(day)) AS first, toString(max(day)) AS last
  FROM ${counted[of]} project_id IN {projects:Array(UUID)}
 GROUP BY project_id`
}
