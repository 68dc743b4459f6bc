/**
 * Mentions by brand and project. `facts` is the WHERE clause of `manyFactsWhere` and of the analyses. With a
 * comparison the facts span both windows; days between the windows are not read.
 */
export function brandCounts(facts: string, isCompared: boolean): string {
  const current = 'day >= {currentFrom:Date}'
  const counted = isCompared
    ? `sumIf(occurrences, ${current}) AS mentions, countIf(${current}) AS responses,
       sumIf(occurrences, NOT ${current}) AS previousMentions, countIf(NOT ${current}) AS previousResponses`
    : 'sum(occurrences) AS mentions, count() AS responses'
  const windows = isCompared ? `AND (${current} OR day <= {previousTo:Date})` : ''
  return `
SELECT project_id AS projectId, brand_id AS brandId, ${counted}
  FROM mentions WHERE ${facts} ${windows}
 GROUP BY project_id, brand_id`
}
