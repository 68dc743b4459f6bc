/** Tables of facts by day, by the kind whose retention they follow. `answers` is removed last. */
export const datedTables = {
  RETENTION_ANSWERS_DAYS: [
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
  RETENTION_CRAWLER_HITS_DAYS: ['crawler_hits'],
  RETENTION_ANALYTICS_DAYS: ['search_console', 'web_analytics'],
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

export const hasOldDays = (table: string) =>
  `SELECT 1 AS found FROM ${table} WHERE day < {firstDay:Date} AND toYYYYMM(day) = {month:UInt32} LIMIT 1`

/** Marks the rows of one month, and changes no other month. */
export const deleteOldDays = (table: string, month: string) =>
  `DELETE FROM ${table} IN PARTITION ID '${month}' WHERE day < {firstDay:Date}`

export const projectsWithOldAnswers =
  'SELECT DISTINCT toString(project_id) AS projectId FROM answers WHERE day < {firstDay:Date}'

export const projectsWithOldContents =
  'SELECT DISTINCT toString(project_id) AS projectId FROM page_contents WHERE fetched_at < toDateTime64({firstDay:Date}, 3)'

export const deleteOldContents =
  'DELETE FROM page_contents WHERE fetched_at < toDateTime64({firstDay:Date}, 3)'
