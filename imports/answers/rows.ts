import { idOf } from '../../core/ids.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Row } from '../loads/insert-batches.ts'
import { type FactTable, factTables, type Load } from '../loads/loads.ts'
import type { Analysis } from './analysis.ts'
import type { CountedMention } from './analysis-thread.ts'
import type { CatalogIds } from './catalog.ts'
import type { Citation, Retrieved } from './citations.ts'
import { type AnswerLine, productKey } from './line.ts'
import { paced } from './paced.ts'

type RowsByTable = Readonly<Record<FactTable, Row[]>>

/** Rows by month, `YYYY-MM`: a month is a partition. */
export type RowsByMonth = ReadonlyMap<string, RowsByTable>

/** An answer with its id. The same answer has the same id in every import. */
export interface Answer {
  readonly id: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly line: AnswerLine
  readonly catalogIds: CatalogIds
}

export function identify(projectId: string, line: AnswerLine, catalogIds: CatalogIds): Answer {
  const { platform, collectedAt, run } = line
  const { promptId, locationId } = catalogIds
  const id = idOf(projectId, promptId, platform, locationId, collectedAt.getTime(), run)
  return { id, day: utcDayOf(collectedAt), line, catalogIds }
}

/** ISO 8601 as ClickHouse's date-time columns read it. */
export const timestamp = (at: Date) => at.toISOString().slice(0, -1).replace('T', ' ')

/** A row of `citations`. @param shared the columns that all rows of the answer share */
export function citationRow(citation: Citation, shared: Row, loadedAt: string): Row {
  const { position, url, given, host, domain, title } = citation
  return {
    ...shared,
    position,
    url,
    given_url: given === url ? '' : given,
    host,
    domain,
    title,
    registry_type: citation.registryType,
    content_type: citation.contentType,
    first_of_domain: Number(citation.firstOfDomain),
    first_of_type: Number(citation.firstOfType),
    pages_version: rulesVersion.pages,
    loaded_at: loadedAt,
  }
}

/** A row of `retrieved_urls`. @param shared the columns that all rows of the answer share */
export function retrievedRow({ given, ...read }: Retrieved, shared: Row): Row {
  const given_url = given === read.url ? '' : given
  return { ...shared, ...read, given_url, pages_version: rulesVersion.pages }
}

function citationRows({ line }: Answer, shared: Row, loadedAt: string): Row[] {
  return line.citations.map((citation) => citationRow(citation, shared, loadedAt))
}

/**
 * One row for each brand that an answer names.
 * @param imported the sentiment as the import gave it, -1 to 1
 * @param shared the columns that all rows of the answer share
 */
export function mentionRows(
  found: readonly CountedMention[],
  imported: number | null,
  shared: Row,
  analysis: number,
): Row[] {
  return found.map(({ brandId, isOwn, occurrences, rank, rankBasis, sentiment }) => ({
    ...shared,
    analysis,
    brand_id: brandId,
    is_own: Number(isOwn),
    occurrences,
    rank,
    rank_basis: rankBasis,
    // The sentiment of a line is about the own brand.
    sentiment: (isOwn ? imported : null) ?? sentiment,
    imported: Number(isOwn && imported !== null),
    names_version: rulesVersion.names,
    tone_version: rulesVersion.tone,
  }))
}

function productRows({ line }: Answer, shared: Row, projectId: string): Row[] {
  return (line.products ?? []).map((product) => ({
    ...shared,
    product_id: idOf(projectId, 'product', productKey(product)),
    ...product,
  }))
}

function adRows({ line, catalogIds }: Answer, shared: Row, projectId: string): Row[] {
  return (line.ads ?? []).map((ad) => {
    const { advertiser, domain, title, url } = ad
    const owner = [projectId, 'ad', catalogIds.promptId, line.platform]
    return {
      ...shared,
      ad_id: idOf(...owner, advertiser, domain, title, url),
      ...ad,
      collected_at: timestamp(line.collectedAt),
    }
  })
}

/** What one citation has beside its texts in a response. */
const citationBytes = 80

/** About the bytes of an answer in a response. */
function sizeOf({ line: { text, citations } }: Answer): number {
  const texts = citations.map(({ url, title }) => Buffer.byteLength(url + title) + citationBytes)
  return texts.reduce((sum, size) => sum + size, Buffer.byteLength(JSON.stringify(text)))
}

function answerRow(answer: Answer, { answer_id: _, ...shared }: Row): Row {
  const { id, line } = answer
  return {
    ...shared,
    id,
    run: line.run,
    collected_at: timestamp(line.collectedAt),
    text: line.text,
    size_bytes: sizeOf(answer),
    sentiment: line.sentiment,
    products_measured: Number(line.products !== null),
    ads_measured: Number(line.ads !== null),
    extra: line.unmappedJson,
  }
}

function factsOf(answer: Answer, found: readonly CountedMention[], load: Load, loadedAt: string) {
  const { id, day, line, catalogIds } = answer
  const shared: Row = {
    project_id: load.projectId,
    day,
    answer_id: id,
    prompt_id: catalogIds.promptId,
    platform: line.platform,
    model: line.model,
    location_id: catalogIds.locationId,
    country: line.country,
    load_seq: load.seq,
  }
  const queries = line.searchQueries.map((query, index) => ({ position: index + 1, query }))
  return {
    citations: citationRows(answer, shared, loadedAt),
    retrieved_urls: line.retrieved.map((read) => retrievedRow(read, shared)),
    mentions: mentionRows(found, line.sentiment, shared, load.analysis),
    fanout_queries: queries.map((query) => ({ ...shared, ...query })),
    product_mentions: productRows(answer, shared, load.projectId),
    ad_impressions: adRows(answer, shared, load.projectId),
    answers: [answerRow(answer, shared)],
  } satisfies RowsByTable
}

/** The rows of answers in all fact tables, by month. */
export async function rowsByMonth(
  answers: readonly Answer[],
  load: Load,
  analyse: Analysis,
): Promise<RowsByMonth> {
  const months = new Map<string, RowsByTable>()
  const loadedAt = timestamp(new Date()).slice(0, 'YYYY-MM-DD hh:mm:ss'.length)
  const found = await analyse(answers.map(({ line }) => line))
  let index = 0
  for await (const answer of paced(answers, ({ line }) => line.text)) {
    const month = answer.day.slice(0, 'YYYY-MM'.length)
    const rows = months.get(month) ?? emptyTables()
    months.set(month, rows)
    const facts = factsOf(answer, found[index++] ?? [], load, loadedAt)
    for (const table of factTables) for (const row of facts[table]) rows[table].push(row)
  }
  return months
}

const emptyTables = (): RowsByTable => ({
  citations: [],
  retrieved_urls: [],
  mentions: [],
  fanout_queries: [],
  product_mentions: [],
  ad_impressions: [],
  answers: [],
})
