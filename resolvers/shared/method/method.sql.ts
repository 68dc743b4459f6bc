import { collectedRows } from '../facts.sql.ts'
import type { ManyFacts } from '../slices.sql.ts'

const noPlace = "toUUID('00000000-0000-0000-0000-000000000000')"

/** An answer has the platform, the repetition and the time of the reply that it was read of. */
const isKept = `(project_id, toString(platform), run, collected_at) IN (
        SELECT project_id, toString(platform), repetition, asked_at FROM raw_answers
         WHERE project_id IN {projects:Array(UUID)} AND day BETWEEN {from:Date} AND {to:Date})`

/**
 * How the answers were collected. `models` counts answers by platform and model, with a line break between. `surface` and
 * `api` are those of the answers that runs have collected.
 */
export function answersCollected({ from, owner, selectOwner }: ManyFacts): string {
  return `
SELECT ${selectOwner}, sum(c) AS answers, sum(kept) AS rawAnswers,
       arraySort(groupUniqArray(toString(prompt_id))) AS promptIds,
       arrayReduce('quantileExact', mapValues(sumMap(map(concat(toString(prompt_id), platformId), c)))) AS answersPerPrompt,
       quantileExact(c) AS repetitions,
       uniqExactIf(location_id, location_id != ${noPlace}) AS locations,
       arraySort(groupUniqArrayIf(countryCode, countryCode != '')) AS countries,
       arraySort(groupUniqArray(toString(day))) AS days,
       sumMap(map(concat(platformId, '\\n', modelId), c)) AS models,
       sumIf(ofRuns, platformId IN {surfacePlatforms:Array(String)}) AS surface,
       sumIf(ofRuns, platformId NOT IN {surfacePlatforms:Array(String)}) AS api
  FROM (
    SELECT ${owner}, prompt_id, toString(platform) AS platformId, toString(model) AS modelId, location_id,
           toString(country) AS countryCode, day, count() AS c, countIf(${isKept}) AS kept,
           countIf(${collectedRows}) AS ofRuns
      FROM ${from('answers')}
     GROUP BY ${owner}, prompt_id, platformId, modelId, location_id, countryCode, day)
 GROUP BY ${owner}`
}

/** The versions of the rules that counted the mentions of the current analysis. */
export function rulesApplied({ from, owner, selectOwner, analysed }: ManyFacts): string {
  return `
SELECT ${selectOwner}, arraySort(groupUniqArray(names_version)) AS nameRules,
       arraySort(groupUniqArray(tone_version)) AS toneRules
  FROM ${from('mentions')} AND ${analysed}
 GROUP BY ${owner}`
}
