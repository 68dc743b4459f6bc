import { idOf } from '../../core/ids.ts'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { utcDayOf } from '../../core/window.ts'
import type { InsertBatches, Row } from '../loads/insert-batches.ts'
import type { Load } from '../loads/loads.ts'
import type { Analysis } from './analysis.ts'
import type { CountedMention } from './analysis-thread.ts'
import type { CatalogIds } from './catalog.ts'
import type { Citation, Retrieved } from './citations.ts'
import { type AnswerLine, productKey } from './line.ts'
import { paced } from './paced.ts'

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

/** The rows of `citations`, without the columns that all rows of the answer share. */
export function citationRows(citations: readonly Citation[], loadedAt: string): Row[] {
  return citations.map(({ position, url, given, host, domain, title, ...rest }) => ({
    position,
    url,
    given_url: given === url ? '' : given,
    host,
    domain,
    title,
    registry_type: rest.registryType,
    content_type: rest.contentType,
    first_of_domain: Number(rest.firstOfDomain),
    first_of_type: Number(rest.firstOfType),
    pages_version: rulesVersion.pages,
    loaded_at: loadedAt,
  }))
}

/** A row of `retrieved_urls`, without the columns that all rows of the answer share. */
export function retrievedRow({ position, url, given, domain, title }: Retrieved): Row {
  const given_url = given === url ? '' : given
  return { position, url, domain, title, given_url, pages_version: rulesVersion.pages }
}

/**
 * One row for each brand that an answer names, without the columns that all rows of the answer share.
 * @param imported the sentiment as the import gave it, -1 to 1
 */
export function mentionRows(found: readonly CountedMention[], imported: number | null): Row[] {
  return found.map(({ brandId, isOwn, occurrences, rank, rankBasis, sentiment }) => ({
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

function productRows({ line }: Answer, projectId: string): Row[] {
  return (line.products ?? []).map((product) => ({
    product_id: idOf(projectId, 'product', productKey(product)),
    ...product,
  }))
}

function adRows({ line, catalogIds }: Answer, projectId: string): Row[] {
  return (line.ads ?? []).map((ad) => {
    const { advertiser, domain, title, url } = ad
    const owner = [projectId, 'ad', catalogIds.promptId, line.platform]
    return {
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

function answerRow(answer: Answer): Row {
  const { line } = answer
  return {
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

function addFacts(
  rows: InsertBatches,
  answer: Answer,
  found: readonly CountedMention[],
  load: Load,
  loadedAt: string,
): void {
  const { id, day, line, catalogIds } = answer
  const common = {
    project_id: load.projectId,
    day,
    prompt_id: catalogIds.promptId,
    platform: line.platform,
    model: line.model,
    location_id: catalogIds.locationId,
    country: line.country,
    load_seq: load.seq,
  }
  const shared = { ...common, answer_id: id }
  const counted = { ...shared, analysis: load.analysis }
  const queries = line.searchQueries.map((query, index) => ({ position: index + 1, query }))
  rows.add('citations', shared, citationRows(line.citations, loadedAt))
  rows.add('retrieved_urls', shared, line.retrieved.map(retrievedRow))
  rows.add('mentions', counted, mentionRows(found, line.sentiment))
  rows.add('fanout_queries', shared, queries)
  rows.add('product_mentions', shared, productRows(answer, load.projectId))
  rows.add('ad_impressions', shared, adRows(answer, load.projectId))
  rows.add('answers', { ...common, id }, [answerRow(answer)])
}

/** Adds the rows of answers in all fact tables. */
export async function addAnswers(
  rows: InsertBatches,
  answers: readonly Answer[],
  load: Load,
  analyse: Analysis,
): Promise<void> {
  const loadedAt = timestamp(new Date()).slice(0, 'YYYY-MM-DD hh:mm:ss'.length)
  const found = await analyse(answers.map(({ line }) => line))
  let index = 0
  for await (const answer of paced(answers, ({ line }) => line.text)) {
    addFacts(rows, answer, found[index++] ?? [], load, loadedAt)
  }
}
