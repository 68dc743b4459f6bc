import { sentimentsOf } from '../../core/text/answer-sentiment.ts'
import type { BrandMatcher, Mention } from '../../core/text/mentions.ts'
import { idOf } from '../files/ids.ts'
import { type FactTable, factTables, type Load } from '../loads/loads.ts'
import type { Place } from './catalog.ts'
import { type AnswerLine, productKey } from './line.ts'

export type Row = Record<string, unknown>

/** Rows of one month, as tables are partitioned. */
export type MonthOfRows = Readonly<Record<FactTable, Row[]>>

/** An answer with its identity: the same answer has the same id in whichever import it comes. */
export interface Answer {
  readonly id: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly line: AnswerLine
  readonly place: Place
}

export function identify(projectId: string, line: AnswerLine, place: Place): Answer {
  const { platform, collectedAt, run } = line
  const { promptId, locationId } = place
  const id = idOf(projectId, promptId, platform, locationId, collectedAt.getTime(), run)
  return { id, day: collectedAt.toISOString().slice(0, 10), line, place }
}

/** ISO 8601 as ClickHouse's date-time columns read it. */
const timestamp = (at: Date) => at.toISOString().slice(0, -1).replace('T', ' ')

function citationRows({ line }: Answer, shared: Row, loadedAt: string): Row[] {
  return line.citations.map((citation) => ({
    ...shared,
    position: citation.position,
    url: citation.url,
    host: citation.host,
    domain: citation.domain,
    title: citation.title,
    registry_type: citation.registryType,
    content_type: citation.contentType,
    first_of_domain: Number(citation.firstOfDomain),
    first_of_type: Number(citation.firstOfType),
    loaded_at: loadedAt,
  }))
}

/** What of an answer its mentions are counted from. */
export interface AnswerToCount {
  readonly text: string
  /** What the import said, -1 to 1. */
  readonly sentiment: number | null
}

/**
 * One row for each brand that an answer names.
 * @param shared the columns that all rows of the answer have
 */
export function mentionRows(
  { text, sentiment }: AnswerToCount,
  shared: Row,
  found: readonly Mention[],
  analysis: number,
): Row[] {
  const sentiments = sentimentsOf(text, found)
  return found.map(({ brandId, isOwn, occurrences, rank }, index) => ({
    ...shared,
    analysis,
    brand_id: brandId,
    is_own: Number(isOwn),
    occurrences,
    rank,
    // What a line says of tone is meant for the brand that the project is about.
    sentiment: (isOwn ? sentiment : null) ?? sentiments[index],
  }))
}

function productRows({ line }: Answer, shared: Row, projectId: string): Row[] {
  return (line.products ?? []).map((product) => ({
    ...shared,
    product_id: idOf(projectId, 'product', productKey(product)),
    ...product,
  }))
}

function adRows({ line, place }: Answer, shared: Row, projectId: string): Row[] {
  return (line.ads ?? []).map((ad) => {
    const { advertiser, domain, title, url } = ad
    const of = [projectId, 'ad', place.promptId, line.platform]
    return {
      ...shared,
      ad_id: idOf(...of, advertiser, domain, title, url),
      ...ad,
      collected_at: timestamp(line.collectedAt),
    }
  })
}

function answerRow({ id, line }: Answer, { answer_id: _, ...shared }: Row): Row {
  return {
    ...shared,
    id,
    run: line.run,
    collected_at: timestamp(line.collectedAt),
    text: line.text,
    sentiment: line.sentiment,
    products_measured: Number(line.products !== null),
    ads_measured: Number(line.ads !== null),
    extra: line.extra,
  }
}

function factsOf(answer: Answer, found: readonly Mention[], load: Load, loadedAt: string) {
  const { id, day, line, place } = answer
  const shared: Row = {
    project_id: load.projectId,
    day,
    answer_id: id,
    prompt_id: place.promptId,
    platform: line.platform,
    model: line.model,
    location_id: place.locationId,
    country: line.country,
    load_seq: load.seq,
  }
  const queries = line.searchQueries.map((query, index) => ({ position: index + 1, query }))
  return {
    citations: citationRows(answer, shared, loadedAt),
    mentions: mentionRows(line, shared, found, load.analysis),
    fanout_queries: queries.map((query) => ({ ...shared, ...query })),
    product_mentions: productRows(answer, shared, load.projectId),
    ad_impressions: adRows(answer, shared, load.projectId),
    answers: [answerRow(answer, shared)],
  } satisfies MonthOfRows
}

const emptyMonth = (): MonthOfRows => ({
  citations: [],
  mentions: [],
  fanout_queries: [],
  product_mentions: [],
  ad_impressions: [],
  answers: [],
})

/** Collects the rows of a load by month, `YYYY-MM`, since a month is a partition. */
export class RowsByMonth {
  readonly months = new Map<string, MonthOfRows>()
  readonly #load: Load
  readonly #brands: BrandMatcher
  readonly #loadedAt = timestamp(new Date()).slice(0, 'YYYY-MM-DD hh:mm:ss'.length)

  constructor(load: Load, brands: BrandMatcher) {
    this.#load = load
    this.#brands = brands
  }

  add(answer: Answer): void {
    const month = answer.day.slice(0, 'YYYY-MM'.length)
    const rows = this.months.get(month) ?? emptyMonth()
    this.months.set(month, rows)
    const facts = factsOf(answer, this.#brands.find(answer.line.text), this.#load, this.#loadedAt)
    for (const table of factTables) for (const row of facts[table]) rows[table].push(row)
  }
}
