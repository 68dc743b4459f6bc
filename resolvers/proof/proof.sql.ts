/** Each answer with the tracked brands that it mentions, and the position of the own one, 0 where it is not mentioned. */
function mentionsOfAnswers(facts: string, analysed: string): string {
  return `
  SELECT id, prompt_id, platform, day, text, brands, place
    FROM (SELECT id, prompt_id, platform, day, text FROM answers WHERE ${facts}) AS given
    LEFT JOIN (
      SELECT answer_id, arraySort(groupArray(toString(brand_id))) AS brands, maxIf(rank, is_own = 1) AS place
        FROM mentions WHERE ${facts} AND ${analysed} AND brand_id IN {brands:Array(UUID)}
       GROUP BY answer_id
    ) AS named ON id = answer_id`
}

/** The counts of all claims. `facts` and `analysed` are those of `countsOfDefinitions`. */
export function countsOfClaims(facts: string, analysed: string): string {
  return `
SELECT count() AS answers, countIf(place > 0) AS mentionedIn, sum(length(brands)) AS mentions, sum(place) AS positions
  FROM (${mentionsOfAnswers(facts, analysed)})`
}

/** The answers that `countsOfClaims` counts, the oldest first. */
export function answersToProve(facts: string, analysed: string): string {
  return `
SELECT toString(id) AS answerId, toString(prompt_id) AS promptId, toString(platform) AS ofPlatform,
       toString(day) AS onDay, brands, place, text
  FROM (${mentionsOfAnswers(facts, analysed)})
 ORDER BY day, prompt_id, platform, id LIMIT {most:UInt32}`
}
