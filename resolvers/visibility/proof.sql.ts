/** Answers that mention the own brand, of all answers. `facts` and `analysed` are those of `countsOfDefinitions`. */
export function mentionedOfAll(facts: string, analysed: string): string {
  return `
SELECT sum(isMentioned) AS numerator, count() AS denominator FROM (${whichMention(facts, analysed)})`
}

function whichMention(facts: string, analysed: string): string {
  return `
  SELECT *, id IN (SELECT answer_id FROM mentions WHERE ${facts} AND ${analysed} AND is_own = 1) AS isMentioned
    FROM answers WHERE ${facts}`
}

/** The answers that `mentionedOfAll` counts, the oldest first. */
export function answersToProve(facts: string, analysed: string): string {
  return `
SELECT toString(id) AS answerId, toString(prompt_id) AS promptId, toString(platform) AS ofPlatform,
       toString(day) AS onDay, toUInt8(isMentioned) AS mentions, text
  FROM (${whichMention(facts, analysed)})
 ORDER BY day, prompt_id, platform, id LIMIT {most:UInt32}`
}
