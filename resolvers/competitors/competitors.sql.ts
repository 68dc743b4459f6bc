/** Statements about competitors. `facts` is the WHERE clause of `factsWhere`; every value is bound. */

const named = 'analysis = {analysis:UInt32} AND brand_id IN {competitors:Array(UUID)}'

/** Mentions by competitor, citations by domain, and the total of answers. */
export function competitorCounts(facts: string): string {
  return `
SELECT toString(m.brand_id) AS key, sum(m.occurrences) AS mentions, count() AS responses,
       sum(m.rank) AS ranks, 0 AS cited
  FROM mentions AS m WHERE ${facts} AND ${named} GROUP BY m.brand_id
UNION ALL
SELECT toString(c.domain) AS key, 0 AS mentions, 0 AS responses, 0 AS ranks, count() AS cited
  FROM citations AS c WHERE ${facts} AND c.domain IN {domains:Array(String)} GROUP BY c.domain
UNION ALL
SELECT '' AS key, 0 AS mentions, count() AS responses, 0 AS ranks, 0 AS cited
  FROM answers WHERE ${facts}`
}

/** Counts of one competitor by day, for days with answers. */
export function competitorDays(facts: string): string {
  return `
SELECT toString(d) AS date, sum(named) AS responsesWithMention, sum(answered) AS totalResponses,
       sum(said) AS mentions, sum(places) AS ranks, sum(cited) AS citations
  FROM (
    SELECT day AS d, 0 AS named, count() AS answered, 0 AS said, 0 AS places, 0 AS cited
      FROM answers WHERE ${facts} GROUP BY day
    UNION ALL
    SELECT day AS d, count() AS named, 0 AS answered, sum(m.occurrences) AS said,
           sum(m.rank) AS places, 0 AS cited
      FROM mentions AS m WHERE ${facts} AND ${named} GROUP BY day
    UNION ALL
    SELECT day AS d, 0 AS named, 0 AS answered, 0 AS said, 0 AS places, count() AS cited
      FROM citations AS c WHERE ${facts} AND c.domain IN {domains:Array(String)} GROUP BY day)
 GROUP BY d
 ORDER BY d`
}
