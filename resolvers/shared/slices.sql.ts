import { domainOf, hostOf } from '../../core/sites/urls.ts'
import { addressesOf, pageOf, pagesOf } from '../../warehouse/cited-pages.sql.ts'
import { analysed, type FactParams, manyAnalyses } from './facts.sql.ts'
import type { Slice } from './scope.ts'
import { caseFold } from './spellings/case-fold.sql.ts'

/** The slices that a statement reads, all of one dimension. */
export interface Slices {
  readonly by: Slice['by']
  readonly ids: readonly string[]
  /** Pairs of a prompt and its topic; for topics alone. */
  readonly topicOf: readonly (readonly [prompt: string, topic: string])[]
  /** Pairs of a slice and a prompt, where only the answers to the prompt count; empty where all do. */
  readonly pairs: readonly (readonly [slice: string, prompt: string])[]
}

/** The tables of facts, each with the column that names the answer. */
const answerColumns = {
  answers: 'id',
  citations: 'answer_id',
  retrieved_urls: 'answer_id',
  mentions: 'answer_id',
  fanout_queries: 'answer_id',
  ad_impressions: 'answer_id',
  product_mentions: 'answer_id',
} as const

export type FactTable = keyof typeof answerColumns

const folded = `arrayMap(asked -> ${caseFold('asked')}, {slices:Array(String)})`

/** The answers of each slice, where a slice is a set of answers: one row for each pair. */
const answersOfSets = {
  url: (where: string) => `
    SELECT answer_id AS sliceAnswer, sliceId
      FROM citations
     INNER JOIN (
       SELECT page, sliceId FROM (SELECT {slices:Array(String)} AS ids, ${pagesOf('ids')} AS pages)
        ARRAY JOIN pages AS page, ids AS sliceId) AS wanted ON ${pageOf('citations.url')} = wanted.page
     WHERE ${where} AND domain IN {sliceDomains:Array(String)} AND url IN ${addressesOf('{slices:Array(String)}')}`,
  domain: (where: string) => `
    SELECT answer_id AS sliceAnswer, toString(domain) AS sliceId
      FROM citations WHERE ${where} AND domain IN {slices:Array(String)} AND first_of_domain = 1`,
  brand: (where: string) => `
    SELECT answer_id AS sliceAnswer, toString(brand_id) AS sliceId
      FROM mentions WHERE ${where} AND ${manyAnalyses} AND brand_id IN {slices:Array(UUID)}`,
  query: (where: string) => `
    SELECT DISTINCT answer_id AS sliceAnswer,
           arrayJoin(arrayFilter((spelling, compared) -> compared = ${caseFold('query')},
                                 {slices:Array(String)}, ${folded})) AS sliceId
      FROM fanout_queries WHERE ${where} AND ${caseFold('query')} IN ${folded}`,
} as const

/** The topics of the answers' prompts, beside the facts: a prompt of two topics counts in both. */
const topicsOfPrompts = `INNER JOIN (
  SELECT prompt_id, topic_id
    FROM (SELECT {topicPrompts:Array(UUID)} AS prompts, {topics:Array(UUID)} AS ofPrompts)
   ARRAY JOIN prompts AS prompt_id, ofPrompts AS topic_id) AS topic_of USING (prompt_id)`

/** A test on as many prompts leaves out facts before a join does. One on more takes longer than the join. */
export const fewPrompts = 1000

/** The facts of a table that belong to the slices, with the column `sliceId`. */
function slicedFacts(table: FactTable, where: string, { by, topicOf }: Slices): string {
  const ofTopics = topicOf.length > fewPrompts ? 'true' : 'prompt_id IN {topicPrompts:Array(UUID)}'
  const columns = {
    topic: ['topic_id', topicsOfPrompts, ofTopics],
    prompt: ['prompt_id', '', 'prompt_id IN {slices:Array(UUID)}'],
    platform: ['platform', '', 'platform IN {slices:Array(String)}'],
    location: ['location_id', '', 'location_id IN {slices:Array(UUID)}'],
  } as const
  if (by in columns) {
    const [column, join, clause] = columns[by as keyof typeof columns]
    return `SELECT *, ${column} AS sliceId FROM ${table} ${join} WHERE ${where} AND ${clause}`
  }
  const answers = answersOfSets[by as keyof typeof answersOfSets](where)
  return `SELECT * FROM (SELECT * FROM ${table} WHERE ${where}) AS fact
   INNER JOIN (${answers}) AS slice_of ON fact.${answerColumns[table]} = slice_of.sliceAnswer`
}

/** Facts of several projects, or of slices of projects, as statements read and group them. */
export interface ManyFacts {
  /** `table WHERE …`, which a statement goes on with `AND`. With slices it has the column `sliceId`. */
  readonly from: (table: FactTable, alias?: string) => string
  /** The columns that say whose a row is. Of one project, all rows have the same, so it is none of them. */
  readonly ownerColumns: readonly string[]
  /** The same columns for GROUP BY, and the one project. */
  readonly owner: string
  /** The same for SELECT: `projectId`, and `slice` where there are slices. */
  readonly selectOwner: string
  /** Selects the mentions of each project's current analysis. */
  readonly analysed: string
}

/**
 * The project of rows. Of one project it is a constant, which the engine leaves out of the keys of groups. Another key can
 * double the time of a statement. Never name it `project_id`: the WHERE clause would then mean the constant.
 */
export const projectOf = (isOne: boolean): string => (isOne ? '{project:UUID}' : 'project_id')

/**
 * @param where the clause of `factsOf`
 * @param isOne whether all facts are of one project
 */
export function manyFacts(where: string, slices: Slices | null, isOne: boolean): ManyFacts {
  const project = projectOf(isOne)
  const columns = isOne ? [] : [project]
  const shared = { selectOwner: `toString(${project}) AS projectId`, analysed: analysed(isOne) }
  if (slices === null) {
    return {
      ...shared,
      from: (table, alias) => `${table}${alias === undefined ? '' : ` AS ${alias}`} WHERE ${where}`,
      ownerColumns: columns,
      owner: project,
    }
  }
  const ofPrompts = `${where} AND prompt_id IN {pairPrompts:Array(UUID)}`
  const sliced = (table: FactTable) =>
    slices.pairs.length === 0
      ? slicedFacts(table, where, slices)
      : `SELECT * EXCEPT (ofSet), concat(toString(ofSet), ' ', toString(prompt_id)) AS sliceId
   FROM (SELECT * EXCEPT (sliceId), sliceId AS ofSet FROM (${slicedFacts(table, ofPrompts, slices)}))
  WHERE (toString(ofSet), prompt_id) IN arrayZip({pairSlices:Array(String)}, {pairPrompts:Array(UUID)})`
  return {
    ...shared,
    from: (table, alias = 'facts') => `(${sliced(table)}) AS ${alias} WHERE true`,
    ownerColumns: [...columns, 'sliceId'],
    owner: `${project}, sliceId`,
    selectOwner: `${shared.selectOwner}, toString(sliceId) AS slice`,
  }
}

/** The values of the slices of `manyFacts`. */
export function sliceParams(slices: Slices | null): FactParams {
  if (slices === null) return {}
  const { by, ids, topicOf, pairs } = slices
  if (pairs.length > 0) {
    return {
      ...sliceParams({ ...slices, pairs: [] }),
      pairSlices: pairs.map(([slice]) => slice),
      pairPrompts: pairs.map(([, prompt]) => prompt),
    }
  }
  if (by === 'url') {
    return { slices: ids, sliceDomains: [...new Set(ids.map((url) => domainOf(hostOf(url))))] }
  }
  if (by !== 'topic') return { slices: ids }
  return {
    topicPrompts: topicOf.map(([prompt]) => prompt),
    topics: topicOf.map(([, topic]) => topic),
  }
}
