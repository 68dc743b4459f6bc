import { manyAnalyses } from '../shared/facts.sql.ts'
import { ratedMentions } from '../shared/judged.sql.ts'
import { narrowedBy } from '../shared/narrowing.sql.ts'
import type { Narrowing } from '../shared/narrowing.ts'

/**
 * Statements over single answers. `facts` is the WHERE clause of `factsWhere`; every value is bound.
 * A list takes two statements: one selects answers by their short columns, one reads the parts of those answers.
 * Texts are long: a single statement took twice as long.
 */

/** `sizeBytes` is about what the answer adds to a response: its texts, and some 600 bytes of short fields. */
export const light = `toString(id) AS answerId, toString(day) AS answerDay, toString(prompt_id) AS promptId,
       platform, model, if(empty(location_id), NULL, toString(location_id)) AS locationId,
       toUnixTimestamp64Milli(collected_at) AS collectedAtMs,
       toUInt64(size_bytes) + 600 AS sizeBytes`

/** The engine orders UUIDs by their second half; as numbers they sort like their text. */
export const newestFirst = 'ORDER BY collected_at DESC, UUIDToNum(id)'

const analysed = 'analysis = {analysis:UInt32}'

/** A page of the answers that pass a narrowing. */
export function answerPage(facts: string, narrowing: Narrowing): string {
  return `
SELECT ${light}
  FROM answers WHERE ${facts} ${narrowedBy(narrowing, { where: facts, analysed })}
 ${newestFirst}
 LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}

/** Whether answers are narrowed by nothing but their mentions of the own brand. */
const isByOwnAlone = ({ own, brands, tones, terms, isIn }: Narrowing) =>
  own !== null &&
  tones === null &&
  terms.length === 0 &&
  ![...Object.values(brands), ...Object.values(isIn)].includes(true)

/** Counts the answers that pass a narrowing. An answer has one mention of a brand: to count these reads no answers. */
export function answerCount(facts: string, narrowing: Narrowing): string {
  if (isByOwnAlone(narrowing)) {
    const mentioning = `SELECT count() AS total FROM mentions WHERE ${facts} AND ${analysed} AND is_own = 1`
    return narrowing.own
      ? mentioning
      : `SELECT count() - (${mentioning}) AS total FROM answers WHERE ${facts}`
  }
  return `SELECT count() AS total FROM answers WHERE ${facts} ${narrowedBy(narrowing, { where: facts, analysed })}`
}

export function answerById(facts: string): string {
  return `SELECT ${light} FROM answers WHERE ${facts} AND id = {answer:UUID} LIMIT 1`
}

/** The parts of answers of several projects. `facts` is the WHERE clause of `factsOf`. */
const ofPage = 'answer_id IN {answerIds:Array(UUID)}'

export function texts(facts: string): string {
  return `
SELECT toString(id) AS answerId, text
  FROM answers WHERE ${facts} AND id IN {answerIds:Array(UUID)}`
}

export function citations(facts: string): string {
  return `
SELECT toString(answer_id) AS answerId, url, domain, title, position
  FROM citations WHERE ${facts} AND ${ofPage}
 ORDER BY position, url`
}

export function retrievedUrls(facts: string): string {
  return `
SELECT toString(answer_id) AS answerId, url, toString(domain) AS domain, title, position
  FROM retrieved_urls WHERE ${facts} AND ${ofPage}
 ORDER BY position, url`
}

export const mentions =
  (isJudged: boolean) =>
  (facts: string): string => {
    return `
SELECT toString(answer_id) AS answerId, toString(brand_id) AS brandId, occurrences, rank, toString(rank_basis) AS rankBasis, sentiment
  FROM ${ratedMentions(facts, isJudged)} AND ${manyAnalyses} AND ${ofPage}
 ORDER BY rank, brandId`
  }

/** The rows of a part that was looked for: an answer without rows has one, whose id is empty. */
const looked = (facts: string, measured: string, rows: string) => `
SELECT toString(id) AS answerId, shown.* EXCEPT (id)
  FROM (SELECT id FROM answers
         WHERE ${facts} AND id IN {answerIds:Array(UUID)} AND ${measured} = 1) AS measured
  LEFT JOIN (${rows} WHERE ${facts} AND ${ofPage}) AS shown USING (id)`

export function products(facts: string): string {
  const columns = 'p.rank AS place, p.name AS product, p.brand AS maker, price AS priceText'
  const rows = `SELECT answer_id AS id, product_id AS productId, ${columns} FROM product_mentions AS p`
  return `${looked(facts, 'products_measured', rows)}\n ORDER BY place, productId`
}

export function ads(facts: string): string {
  const columns = 'a.advertiser AS name, a.domain AS site, a.title AS headline, a.url AS address'
  const rows = `SELECT answer_id AS id, if(empty(ad_id), '', toString(ad_id)) AS adId, position AS place, ${columns} FROM ad_impressions AS a`
  return `${looked(facts, 'ads_measured', rows)}\n ORDER BY place, adId`
}

export function searchQueries(facts: string): string {
  return `
SELECT toString(answer_id) AS answerId, query
  FROM fanout_queries WHERE ${facts} AND ${ofPage}
 ORDER BY position`
}
