/** Tables of facts by day, by the kind whose retention they follow. `answers` is removed last. */
export const datedTables = {
  answers: [
    'raw_answers',
    'judgements',
    'citations',
    'retrieved_urls',
    'mentions',
    'fanout_queries',
    'product_mentions',
    'ad_impressions',
    'answers',
  ],
  crawlerHits: ['crawler_hits'],
  analytics: ['search_console', 'web_analytics'],
} as const

/** Months of a table that have days before the first kept one. `isWhole` months have no other days. */
export const oldMonths = `
SELECT partition_id AS month, partition_id < toString(toYYYYMM({firstDay:Date})) AS isWhole
  FROM system.parts
 WHERE database = currentDatabase() AND table IN ({table:String}, concat({table:String}, '_local'))
   AND active AND rows > 0
   AND partition_id <= toString(toYYYYMM({firstDay:Date}))
 GROUP BY partition_id
 ORDER BY partition_id`

/** A running query keeps the files that it reads. */
export const dropMonth = (table: string, month: string) =>
  `ALTER TABLE ${table} DROP PARTITION ID '${month}'`

/** Facts of some projects only, which `projectIds` binds; of all projects where the removal is for all. */
const ofProjects = (isForAll: boolean) =>
  isForAll ? '' : ' AND project_id IN {projectIds:Array(UUID)}'

/** The months of a table that have days of some projects before the first kept one. */
export const oldMonthsOf = (table: string) => `
SELECT DISTINCT toString(toYYYYMM(day)) AS month
  FROM ${table} WHERE day < {firstDay:Date}${ofProjects(false)}
 ORDER BY month`

export const hasOldDays = (table: string) =>
  `SELECT 1 AS found FROM ${table} WHERE day < {firstDay:Date} AND toYYYYMM(day) = {month:UInt32} LIMIT 1`

/** Marks the rows of one month, and changes no other month. */
export const deleteOldDays = (table: string, month: string, isForAll: boolean) =>
  `DELETE FROM ${table} IN PARTITION ID '${month}' WHERE day < {firstDay:Date}${ofProjects(isForAll)}`

export const projectsWithOldAnswers = (isForAll: boolean) =>
  `SELECT DISTINCT toString(project_id) AS projectId FROM answers WHERE day < {firstDay:Date}${ofProjects(isForAll)}`

const oldContents = (isForAll: boolean) =>
  `fetched_at < toDateTime64({firstDay:Date}, 3)${ofProjects(isForAll)}`

export const projectsWithOldContents = (isForAll: boolean) =>
  `SELECT DISTINCT toString(project_id) AS projectId FROM page_contents WHERE ${oldContents(isForAll)}`

export const deleteOldContents = (isForAll: boolean) =>
  `DELETE FROM page_contents WHERE ${oldContents(isForAll)}`
