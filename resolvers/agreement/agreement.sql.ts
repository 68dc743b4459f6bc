import { collectedRows } from '../shared/facts.sql.ts'

const isOfSurface = 'platform IN {surfacePlatforms:Array(String)}'
/** The AI platform whose page and API are one. */
const product =
  'transform(toString(platform), {surfaces:Array(String)}, {apis:Array(String)}, toString(platform))'
const way = `multiIf(NOT ${collectedRows}, 'imported', ${isOfSurface}, 'surface', 'api')`

/** Answers counted by how they were obtained. `facts` is the WHERE clause of `factsWhere`. */
export function answersByWay(facts: string): string {
  return `
SELECT count() AS answers, countIf(${collectedRows} AND ${isOfSurface}) AS surface,
       countIf(${collectedRows} AND NOT ${isOfSurface}) AS api
  FROM answers WHERE ${facts}`
}

/**
 * Answers to prompts that were asked in several ways at one location on one day, newest first. `facts` is the WHERE
 * clause of `factsWhere`, and `analysed` selects the current mentions.
 */
export function answersInSeveralWays(facts: string, analysed: string): string {
  return `
SELECT toString(prompt_id) AS promptId, toString(day) AS onDay, toString(location_id) AS locationId,
       ${product} AS ofPlatform, ${way} AS obtained, own AS isOwnMentioned, firstBrand, domains
  FROM (SELECT * FROM answers WHERE ${facts}
           AND (prompt_id, day, location_id, ${product}) IN (
             SELECT prompt_id, day, location_id, ${product} FROM answers WHERE ${facts}
              GROUP BY prompt_id, day, location_id, ${product} HAVING uniqExact(${way}) > 1)
         ORDER BY day DESC, prompt_id, location_id, id LIMIT {most:UInt32}) AS a
  LEFT JOIN (
    SELECT answer_id, max(is_own) AS own, toString(argMin(brand_id, rank)) AS firstBrand
      FROM mentions WHERE ${facts} AND ${analysed} GROUP BY answer_id) AS m ON a.id = m.answer_id
  LEFT JOIN (
    SELECT answer_id, arraySort(groupUniqArray(toString(domain))) AS domains
      FROM citations WHERE ${facts} GROUP BY answer_id) AS c ON a.id = c.answer_id
 ORDER BY onDay DESC, promptId, locationId, ofPlatform, obtained, id`
}
