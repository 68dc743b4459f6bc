/** Domains that visible answers cite from a day on, the most cited first. */
export const citedDomains = `
SELECT toString(domain) AS domain
  FROM citations
 WHERE project_id = {project:UUID} AND day >= {from:Date} AND load_seq <= {load:UInt32}
   AND load_seq NOT IN {dead:Array(UInt32)}
 GROUP BY domain
 ORDER BY uniqExact(answer_id) DESC, domain
 LIMIT {limit:UInt32}`
