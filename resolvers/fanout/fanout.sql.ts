import { mostCited, pageOf } from '../../warehouse/cited-pages.sql.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'
import { caseFold, commonestSpelling } from '../shared/spellings/case-fold.sql.ts'

/**
 * Statements over the sub-queries that platforms searched for. `facts` is the WHERE clause of `factsWhere`
 * or, for several projects, of `factsOf`; every value is bound.
 */

/** Sub-queries are numbered from 1 per answer: counting the first ones counts the answers. */
const answersAsking = 'countIf(position = 1)'

/** The rows of a page, and the first row of the list: an empty page knows the total. */
const onPage =
  'place = 1 OR (place > {offset:UInt64} AND place <= {offset:UInt64} + {limit:UInt64})'

/**
 * A page of the prompts of each project, most sub-queries first. Texts are read only for the prompts on the page:
 * counting distinct texts costs more than all else together. 64-bit hashes distinguish them.
 */
export function promptPage(facts: string): string {
  return `
WITH page AS (
  SELECT *
    FROM (
      SELECT *, count() OVER (PARTITION BY project_id) AS total,
             sum(queries) OVER (PARTITION BY project_id) AS allQueries,
             sum(answers) OVER (PARTITION BY project_id) AS allAnswers,
             row_number() OVER (PARTITION BY project_id ORDER BY queries DESC, toString(prompt_id)) AS place
        FROM (
          SELECT project_id, prompt_id, count() AS queries, ${answersAsking} AS answers
            FROM fanout_queries WHERE ${facts} GROUP BY project_id, prompt_id))
   WHERE ${onPage})
SELECT toString(project_id) AS projectId, toString(prompt_id) AS promptId, queries, answers,
       uniqueQueries, total, allQueries, allAnswers, place
  FROM page
  LEFT JOIN (
    SELECT prompt_id, uniqExact(cityHash64(${caseFold('spelling')})) AS uniqueQueries
      FROM (
        SELECT DISTINCT prompt_id, query AS spelling
          FROM fanout_queries WHERE ${facts} AND prompt_id IN (SELECT prompt_id FROM page))
     GROUP BY prompt_id) AS texts USING (prompt_id)
 ORDER BY place`
}

/**
 * The most repeated sub-queries of each project or slice, with the number of prompts behind each. With `named` only the
 * sub-queries of \queries, each with the texts that name it.
 */
export function topQueries(facts: ManyFacts, named = false): string {
  const folded = `arrayMap(asked -> ${caseFold('asked')}, {queries:Array(String)})`
  const names = `arrayFilter((asked, form) -> form = compared, {queries:Array(String)}, ${folded}) AS names`
  return `
SELECT ${facts.selectOwner}, ${commonestSpelling} AS query, sum(times) AS repeats,
       uniqExactMerge(prompts) AS promptsCount, toString(max(last)) AS lastSeenOn,
       count() OVER (PARTITION BY ${facts.owner}) AS total ${named ? `, ${names}` : ''}
  FROM (
    SELECT ${facts.owner}, query AS spelling, count() AS times, uniqExactState(prompt_id) AS prompts,
           max(day) AS last
      FROM ${facts.from('fanout_queries')} ${named ? `AND ${caseFold('query')} IN ${folded}` : ''}
     GROUP BY ${facts.owner}, query)
 GROUP BY ${facts.owner}, ${caseFold('spelling')} AS compared
 ORDER BY repeats DESC, compared
 LIMIT {limit:UInt64} OFFSET {offset:UInt64} BY ${facts.owner}`
}

/** The own pages that the answers of each cite, most answers first. */
export function ownPagesOfEach(facts: ManyFacts): string {
  return `
SELECT ${facts.selectOwner}, ${mostCited('address', 'times')} AS url, sum(times) AS answers
  FROM (
    SELECT ${facts.owner}, url AS address, count() AS times
      FROM ${facts.from('citations')}
       AND domain IN {ownDomains:Array(String)}
       AND has(arrayZip({ownProjects:Array(UUID)}, {ownDomains:Array(String)}),
               (project_id, toString(domain)))
     GROUP BY ${facts.owner}, address)
 GROUP BY ${facts.owner}, ${pageOf('address')}
 ORDER BY answers DESC, url
 LIMIT {most:UInt64} BY ${facts.owner}`
}

/** Answers and sub-queries by model; by platform when the model is unknown. */
export function modelCounts(facts: string): string {
  const named = "if(model = '', platform, model) AS name"
  return `
SELECT toString(project_id) AS projectId, name AS modelName, sum(found) AS responses,
       sum(asking) AS responsesWithFanout, sum(asked) AS queries
  FROM (
    SELECT project_id, ${named}, count() AS found, 0 AS asking, 0 AS asked
      FROM answers WHERE ${facts} GROUP BY project_id, name
     UNION ALL
    SELECT project_id, ${named}, 0, ${answersAsking}, count()
      FROM fanout_queries WHERE ${facts} GROUP BY project_id, name)
 GROUP BY project_id, name
 ORDER BY queries DESC, responses DESC, name`
}

/** A page of the sub-queries of one prompt, most repeated first. */
export function queryPage(facts: string): string {
  return `
SELECT *
  FROM (
    SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY repeats DESC, compared) AS place
      FROM (
        SELECT ${caseFold('spelling')} AS compared, ${commonestSpelling} AS query,
               sum(times) AS repeats, toUnixTimestamp64Milli(max(last)) AS lastSeenMs
          FROM (
            SELECT query AS spelling, count() AS times, max(collected_at) AS last
              FROM (SELECT answer_id, query FROM fanout_queries WHERE ${facts}) AS asked
              LEFT ANY JOIN (
                SELECT id AS answer_id, collected_at FROM answers WHERE ${facts}) AS found USING (answer_id)
             GROUP BY spelling)
         GROUP BY compared))
 WHERE ${onPage}
 ORDER BY place`
}
