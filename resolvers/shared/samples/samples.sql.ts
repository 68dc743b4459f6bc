import type { ManyFacts } from '../slices.sql.ts'
import { type Dimension, type MeasureName, measureOf, rowsOfMeasure } from './measures.sql.ts'

const noPrompt = "toUUID('00000000-0000-0000-0000-000000000000')"

/**
 * The sums of a ratio by cell and object. Objects that share a base have it in the row without an object.
 * The base of a prompt, or of a stratum, is looked up there, as an object has rows for the prompts that hold it alone.
 */
export function samples(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  const { owner } = facts
  const { shared = false } = measureOf(name)
  const keys = `${owner}, cell, object`
  const over = (column: string, of: string) => `${column} OVER (PARTITION BY ${owner}, cell, ${of})`
  const looked = shared
    ? [
        `${over('max(m0)', 'prompt_id, platform')} AS m`,
        `${over('max(b0)', 'prompt_id, platform')} AS bOf`,
        `${over('sum(b0)', 'prompt_id')} AS bOfPrompt`,
        `if(m = 1, ${over('sumIf(m0, m0 = 1)', 'platform')}, m) AS mOfStratum`,
        `if(m = 1, ${over('sumIf(b0, m0 = 1)', 'platform')}, bOf) AS bOfStratum`,
      ]
    : ['m0 AS m', 'm0 AS mOfStratum', 'b0 AS bOfStratum', 'b0 AS bOfPrompt']
  const inGroup = shared ? 'max' : 'sum'
  const scaled = (squares: string, product: string) =>
    `strata / (strata - 1) * (${squares} - ${product} / strata)`
  const within = (value: string) => `sumIf(${value}, NOT isPrompt AND strata > 1)`
  return `
SELECT ${facts.selectOwner}, cell, object,
       sumIf(a1, isPrompt) AS a, sumIf(b1, isPrompt) AS b, countIf(isPrompt AND b1 > 0) AS prompts,
       sumIf(aa1, isPrompt) AS aa, sumIf(ab1, isPrompt) AS ab, sumIf(bb1, isPrompt) AS bb,
       sumIf(a1 * a1, isPrompt) AS aaOfPrompts, sumIf(a1 * b1, isPrompt) AS abOfPrompts,
       sumIf(b1 * b1, isPrompt) AS bbOfPrompts, sumIf(pow(b1, 3), isPrompt) AS bbbOfPrompts,
       sumIf(pow(b1, 4), isPrompt) AS bbbbOfPrompts, countIf(NOT isPrompt AND strata > 1) AS strataOfTwo,
       ${within(scaled('aa1', 'a1 * a1'))} AS aaOfStrata, ${within(scaled('ab1', 'a1 * b1'))} AS abOfStrata,
       ${within(scaled('bb1', 'b1 * b1'))} AS bbOfStrata, ${within('b1 * b1 / (strata - 1)')} AS weights,
       ${within(`pow(${scaled('aa1', 'a1 * a1')}, 2) / (strata + 1)`)} AS spreads
  FROM (
    SELECT ${keys}, grouping(prompt_id) = 0 AS isPrompt, sum(a0) AS a1, sum(aa0) AS aa1,
           sum(ab0) AS ab1, sum(bb0) AS bb1, ${inGroup}(mOfStratum) AS strata,
           if(isPrompt, ${inGroup}(bOfPrompt), ${inGroup}(bOfStratum)) AS b1
      FROM (
        SELECT *, ${looked.join(', ')}, if(m = 1, ${noPrompt}, prompt_id) AS stratum
          FROM (
            SELECT ${keys}, prompt_id, platform, sum(m) AS m0, sum(a) AS a0, sum(b) AS b0,
                   sum(aa) AS aa0, sum(ab) AS ab0, sum(bb) AS bb0
              FROM (${rowsOfMeasure(name, by, facts)})
             GROUP BY ${keys}, prompt_id, platform))
     GROUP BY GROUPING SETS ((${keys}, prompt_id), (${keys}, stratum, platform)))
 GROUP BY ${keys}`
}

/** The numerator and the denominator of a ratio by cell, object and prompt. */
export function promptSums(name: MeasureName, by: Dimension, facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, cell, object, toString(prompt_id) AS prompt, sum(a) AS n, sum(b) AS d
  FROM (${rowsOfMeasure(name, by, facts)})
 GROUP BY ${facts.owner}, cell, object, prompt_id
HAVING n != 0 OR d != 0`
}
