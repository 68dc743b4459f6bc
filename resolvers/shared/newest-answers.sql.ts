/**
 * The newest answers that readers see, with their texts. Binds `project`, `load`, `dead` and `limit`. The days come
 * first, so that the engine reads the last parts of the table only.
 */
export const newestAnswers = `
SELECT toString(id) AS answerId, platform, toString(day) AS date, text
  FROM answers
 WHERE project_id = {project:UUID} AND load_seq <= {load:UInt32}
   AND load_seq NOT IN {dead:Array(UInt32)}
 ORDER BY day DESC, prompt_id, platform, id
 LIMIT {limit:UInt32}`
