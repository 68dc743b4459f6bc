/**
 * Statements over the mentions of several projects. `facts` is the WHERE clause of `manyFactsWhere`,
 * `analyses` selects the current analyses. A mention without a sentiment is not counted.
 */

const byTone = `countIf(sentiment >= {tone:Float64}) AS positive,
       countIf(sentiment > -{tone:Float64} AND sentiment < {tone:Float64}) AS neutral,
       countIf(sentiment <= -{tone:Float64}) AS negative`

/** The own brand in the window, and in the comparison window when the facts span both. */
export function ownTones(facts: string, analyses: string): string {
  return `
SELECT project_id AS projectId, day >= {currentFrom:Date} AS isCurrent, ${byTone}
  FROM mentions
 WHERE ${facts} AND ${analyses} AND is_own = 1
   AND (day >= {currentFrom:Date} OR day <= {comparedTo:Date})
 GROUP BY project_id, isCurrent`
}

/** The own brand by day, for every day with answers. */
export function tonesByDay(facts: string, analyses: string): string {
  return `
SELECT project_id AS projectId, toString(day) AS date, ${byTone}
  FROM (
    SELECT DISTINCT project_id, day, NULL AS sentiment FROM answers WHERE ${facts}
    UNION ALL
    SELECT project_id, day, sentiment FROM mentions WHERE ${facts} AND ${analyses} AND is_own = 1)
 GROUP BY project_id, day
 ORDER BY day`
}

export function tonesByBrand(facts: string, analyses: string): string {
  return `
SELECT project_id AS projectId, brand_id AS brandId, ${byTone}
  FROM mentions WHERE ${facts} AND ${analyses}
 GROUP BY project_id, brand_id`
}
