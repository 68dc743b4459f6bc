import type { ManyFacts } from '../slices.sql.ts'
import {
  type Dimension,
  heldObject,
  type MeasureName,
  measureOf,
  rowsOfMeasure,
} from './measures.sql.ts'

/**
 * The sums of each prompt and of each stratum. A stratum is a prompt on a platform with two answers or more; those of one
 * answer are one stratum of the platform together.
 *
 * Objects that share a base have no rows for prompts that hold none of them. So each row of the base takes its objects
 * along, and they meet the sums of its prompt and its stratum there. The key is a hash of 128 bits: the engine groups by the
 * columns themselves several times as slowly.
 */
function sumsOfGroups(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  const { owner } = facts
  const ofEach = (counted: string, sums: string) => `
SELECT ${owner}, any(divided) AS divided, isPrompt, key, sum(m0) AS strata, sum(b0) AS b1, sum(bb0) AS bb1, ${sums}
  FROM (
    SELECT *, arrayJoin([true, false]) AS isPrompt,
           multiIf(isPrompt, sipHash128(divided, prompt_id), m0 = 1, sipHash128(divided, platform),
                   sipHash128(divided, prompt_id, platform)) AS key
      FROM (
        SELECT ${owner}, divided, prompt_id, platform, sum(m) AS m0, sum(b) AS b0, sum(bb) AS bb0, ${counted}
          FROM (${rowsOfMeasure(name, by, facts)})
         GROUP BY ${owner}, divided, prompt_id, platform))
 GROUP BY ${owner}, isPrompt, key`
  if (!measureOf(name).shared) {
    const sums = 'sum(a0) AS a1, sum(aa0) AS aa1, sum(ab0) AS ab1, 0 AS held'
    return ofEach('sum(a) AS a0, sum(aa) AS aa0, sum(ab) AS ab0', sums)
  }
  const grouped = ofEach(
    'groupArrayIf((held, a, aa, ab), held != 0) AS objects',
    'arrayPushFront(groupArrayArray(objects), (toUInt32(0), 0., 0., 0.)) AS counted',
  )
  return `
SELECT ${owner}, any(divided) AS divided, isPrompt, object.1 AS held, any(strata) AS strata, any(b1) AS b1,
       if(held = 0, any(bb1), 0) AS bb1, sum(object.2) AS a1, sum(object.3) AS aa1, sum(object.4) AS ab1
  FROM (${grouped}) ARRAY JOIN counted AS object
 GROUP BY ${owner}, isPrompt, key, held`
}

/** The sums of a ratio by cell and object. Objects that share a base have it in the row without an object. */
export function samples(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  const scaled = (squares: string, product: string) =>
    `strata / (strata - 1) * (${squares} - ${product} / strata)`
  const within = (value: string) => `sumIf(${value}, NOT isPrompt AND strata > 1)`
  return `
SELECT ${facts.selectOwner}, toString(divided) AS cell, ${heldObject(name)} AS object,
       sumIf(a1, isPrompt) AS a, sumIf(b1, isPrompt) AS b, countIf(isPrompt AND b1 > 0) AS prompts,
       sumIf(aa1, isPrompt) AS aa, sumIf(ab1, isPrompt) AS ab, sumIf(bb1, isPrompt) AS bb,
       sumIf(a1 * a1, isPrompt) AS aaOfPrompts, sumIf(a1 * b1, isPrompt) AS abOfPrompts,
       sumIf(b1 * b1, isPrompt) AS bbOfPrompts, sumIf(b1 * b1 * b1, isPrompt) AS bbbOfPrompts,
       sumIf(b1 * b1 * b1 * b1, isPrompt) AS bbbbOfPrompts, countIf(NOT isPrompt AND strata > 1) AS strataOfTwo,
       ${within(scaled('aa1', 'a1 * a1'))} AS aaOfStrata, ${within(scaled('ab1', 'a1 * b1'))} AS abOfStrata,
       ${within(scaled('bb1', 'b1 * b1'))} AS bbOfStrata, ${within('b1 * b1 / (strata - 1)')} AS weights,
       ${within(`pow(${scaled('aa1', 'a1 * a1')}, 2) / (strata + 1)`)} AS spreads
  FROM (${sumsOfGroups(name, by, facts)})
 GROUP BY ${facts.owner}, divided, held`
}

/** The numerator and the denominator of a ratio by cell, object and prompt. */
export function promptSums(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, toString(divided) AS cell, ${heldObject(name)} AS object, toString(prompt_id) AS prompt,
       sum(a) AS n, sum(b) AS d
  FROM (${rowsOfMeasure(name, by, facts)})
 GROUP BY ${facts.owner}, divided, held, prompt_id
HAVING n != 0 OR d != 0`
}
