import { countedCrawls } from '../shared/facts.sql.ts'

/**
 * Hits of each crawler in the warehouse, by project and day. Hits of the tracker may arrive late by hours, so two days
 * count.
 */
export const hitsByDay = `
SELECT toString(project_id) AS projectId, toString(day) AS date, bot_name AS botName, count() AS hits
  FROM crawler_hits
 WHERE project_id IN {projects:Array(UUID)}
   AND day >= {from:Date}
   AND ${countedCrawls}
 GROUP BY project_id, day, bot_name`
