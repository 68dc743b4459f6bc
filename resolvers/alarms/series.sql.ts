import { dailyRows } from '../shared/facts.sql.ts'
import { ratedMentions } from '../shared/judged.sql.ts'

/** The series that monitors watch. `facts` is the WHERE clause of `factsWhere`; every value is bound. */

const counts = [
  'answers',
  'own',
  'control',
  'citing',
  'rated',
  'net',
  'occurrences',
  'ownOccurrences',
] as const

type Count = (typeof counts)[number] | 'rivals'

/** Answers of runs and imported ones are strata apart: another way to ask is no change of what is answered. */
const stratum = 'prompt_id, platform, location_id, load_seq IN {collected:Array(UInt32)} AS of_run'
const cell = `day, ${stratum}`

/** Counts of one table by day and stratum, with zeros for those of other tables. */
function counted(table: string, values: Partial<Record<Count, string>>): string {
  const columns = [
    ...counts.map((count) => `${values[count] ?? '0'} AS ${count}`),
    `${values.rivals ?? "CAST([], 'Array(UInt64)')"} AS rivals`,
  ]
  return `SELECT ${cell}, ${columns.join(', ')}
            FROM ${table} GROUP BY ${cell}`
}

/**
 * What the answers of each prompt on a platform at a location say, in arrays by day: far fewer rows than days have.
 * `control` are answers that name a competitor, and `rivals` the occurrences of each of `competitors`.
 */
export function strataByDay(facts: string, isJudged: boolean): string {
  const rated = 'is_own = 1 AND sentiment'
  const cells = [
    counted(`answers WHERE ${facts}`, { answers: 'count()' }),
    counted(`${ratedMentions(facts, isJudged)} AND analysis = {analysis:UInt32}`, {
      own: 'countIf(is_own = 1)',
      control: 'uniqExactIf(answer_id, is_own = 0)',
      rated: `countIf(${rated} IS NOT NULL)`,
      net: `toInt64(countIf(${rated} >= {tone:Float64})) - toInt64(countIf(${rated} <= -{tone:Float64}))`,
      occurrences: 'sum(mentions.occurrences)',
      ownOccurrences: 'sumIf(mentions.occurrences, is_own = 1)',
      rivals: `sumForEach(arrayMap(id -> if(brand_id = id, toUInt64(mentions.occurrences), 0),
                                   {competitors:Array(UUID)}))`,
    }),
    counted(`citations WHERE ${facts} AND domain IN {ownDomains:Array(String)}`, {
      citing: 'uniqExact(answer_id)',
    }),
  ]
  const summed = counts.map((count) => `sum(cells.${count}) AS ${count}`).join(', ')
  const inArrays = [...counts, 'rivals'].map((count) => `groupArray(${count}) AS ${count}`)
  return `
SELECT concat_ws(' ', toString(prompt_id), toString(platform), toString(location_id), of_run ? 'run' : 'import') AS stratum,
       toString(prompt_id) AS promptId, toString(platform) AS platform,
       groupArray(toUInt16(day)) AS days, ${inArrays.join(', ')}
  FROM (
    SELECT day, prompt_id, platform, location_id, of_run, ${summed}, sumForEach(cells.rivals) AS rivals
      FROM (${cells.join('\n            UNION ALL\n            ')}) AS cells
     GROUP BY day, prompt_id, platform, location_id, of_run
    HAVING answers > 0
     ORDER BY day)
 GROUP BY prompt_id, platform, location_id, of_run
 ORDER BY stratum`
}

const window = 'project_id = {project:UUID} AND day BETWEEN {from:Date} AND {to:Date}'

/** Verified requests of AI crawlers, and sessions that AI platforms sent, by day. */
const trafficByDay = `
SELECT day, sum(hits) AS crawls, sum(visits) AS referrals
  FROM (
    SELECT day, count() AS hits, 0 AS visits
      FROM crawler_hits WHERE ${window} AND verification = 'verified' GROUP BY day
     UNION ALL
    SELECT day, 0, sum(w.sessions)
      FROM web_analytics AS w FINAL WHERE ${window} AND ${dailyRows} AND platform != '' GROUP BY day)
 GROUP BY day
 ORDER BY day`

/** All that monitors watch: the strata, and in a row without a stratum the traffic. */
export function factsByDay(facts: string, isJudged: boolean): string {
  const inArrays = [...counts, 'rivals'].map((count) => `[] AS ${count}`)
  return `
SELECT * FROM (
  SELECT *, [] AS crawls, [] AS referrals FROM (${strataByDay(facts, isJudged)})
   UNION ALL
  SELECT '' AS stratum, '' AS promptId, '' AS platform, groupArray(toUInt16(day)) AS days,
         ${inArrays.join(', ')}, groupArray(t.crawls) AS crawls, groupArray(t.referrals) AS referrals
    FROM (${trafficByDay}) AS t)
 ORDER BY stratum`
}

/**
 * Answers that cite each domain before a day and from it on, of the prompts that were asked in both windows on the same
 * platform and at the same location: new prompts have new sources. Domains cited in both windows are only counted.
 */
export function sourcesByWindow(facts: string): string {
  const isBefore = 'day < {since:Date}'
  return `
WITH asked AS (
  SELECT prompt_id, platform, location_id, countIf(${isBefore}) AS before, countIf(NOT ${isBefore}) AS now
    FROM answers WHERE ${facts} GROUP BY prompt_id, platform, location_id HAVING before > 0 AND now > 0)
SELECT domain, before, now, tested,
       (SELECT sum(asked.before) FROM asked) AS ofBefore, (SELECT sum(asked.now) FROM asked) AS ofNow
  FROM (
    SELECT domain, countIf(${isBefore}) AS before, countIf(NOT ${isBefore}) AS now, count() OVER () AS tested
      FROM citations
     WHERE ${facts} AND first_of_domain = 1
       AND (prompt_id, platform, location_id) IN (SELECT prompt_id, platform, location_id FROM asked)
     GROUP BY domain)
 WHERE before = 0 OR now = 0
 ORDER BY before + now DESC, domain
 LIMIT 1000`
}

/** Verified requests of AI crawlers since a time by vendor, and those that were refused. */
export const refusedRequests = `
SELECT bot_vendor AS vendor, count() AS requests,
       countIf(status_code IN (401, 403, 429) OR status_code >= 500) AS refused
  FROM crawler_hits
 WHERE project_id = {project:UUID} AND day >= toDate(fromUnixTimestamp64Milli({sinceMs:Int64}))
   AND timestamp >= fromUnixTimestamp64Milli({sinceMs:Int64})
   AND verification = 'verified' AND bot_vendor != ''
 GROUP BY vendor
 ORDER BY vendor`
