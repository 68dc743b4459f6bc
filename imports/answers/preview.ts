import { invalid, notFound } from '../../core/errors.ts'
import {
  brandFields,
  brandsOf,
  type StoredBrand,
  type StoredBrands,
} from '../../core/project-brands.ts'
import { undressed } from '../../core/sites/cited-url.ts'
import { counted } from '../../core/text/counted.ts'
import type { MatchMode } from '../../core/text/match-modes.ts'
import type { Db } from '../../prisma/client.ts'
import { pageHash } from '../../warehouse/cited-pages.sql.ts'
import { run, type Warehouse } from '../../warehouse/run.ts'
import { openAnalysis } from './analysis.ts'
import { loadsToReplace, pagesOf } from './pages.ts'
import {
  answerPages,
  boundTo,
  countAnswers,
  type VisibleAnswers,
  visible as visibleRows,
} from './stored.ts'

/** A change to try: a rule of a name, or an alias that does not exist yet. */
export interface TriedName {
  /** Absent for the own brand. */
  readonly competitorId?: string | null | undefined
  /** Absent for the name of the brand. */
  readonly alias?: string | null | undefined
  /** Null lets the name decide; absent keeps the mode. */
  readonly match?: MatchMode | null | undefined
  readonly excludedPhrases?: readonly string[] | null | undefined
}

export interface PreviewOptions {
  readonly projectId: string
  readonly names?: readonly TriedName[]
  readonly competitors?: readonly { readonly name: string; readonly domain: string }[]
  /** A project with more answers is refused. */
  readonly maxAnswers?: number
}

export interface BrandCounts {
  /** Answers that name the brand. */
  readonly answers: number
  readonly mentions: number
}

/** The counts of a brand as readers see them, and as a reanalysis would make them. */
export interface PreviewedBrand {
  readonly projectId: string
  readonly brandId: string
  readonly brand: string
  readonly isOwn: boolean
  readonly before: BrandCounts
  readonly after: BrandCounts
}

/** The cited pages of all answers. */
export interface CitationCounts {
  /** Pairs of an answer and a page that it cites. */
  readonly citations: number
  readonly urls: number
  readonly domains: number
}

export interface ReanalysisPreview {
  readonly cited: { readonly before: CitationCounts; readonly after: CitationCounts }
  /** Answers of the project. */
  readonly answers: number
  /** The own brand first. */
  readonly brands: readonly PreviewedBrand[]
}

const noPages: CitationCounts = { citations: 0, urls: 0, domains: 0 }
const none: BrandCounts = { answers: 0, mentions: 0 }

const countsNow = `
SELECT toString(brand_id) AS brandId, toUInt32(count()) AS answers,
       toUInt32(sum(occurrences)) AS mentions
  FROM mentions
 WHERE ${visibleRows} AND analysis = {analysis:UInt32}
 GROUP BY brand_id`

const citedNow = `
SELECT toUInt32(count()) AS citations, toUInt32(uniqExact(${pageHash})) AS urls,
       toUInt32(uniqExactIf(domain, domain != '')) AS domains
  FROM citations WHERE ${visibleRows}`

function tryName(brand: StoredBrand, tried: TriedName): StoredBrand {
  const { alias, match, excludedPhrases } = tried
  const rule = {
    ...(match === undefined
      ? {}
      : { caseSensitive: match === null ? null : match === 'exact_case' }),
    ...(excludedPhrases ? { excludedPhrases } : {}),
  }
  if (!alias) return { ...brand, ...rule }
  const kept = brand.aliases.find(({ text }) => text === alias)
  const fresh = { id: alias, text: alias, caseSensitive: null, excludedPhrases: [] }
  const others = brand.aliases.filter((each) => each !== kept)
  return { ...brand, aliases: [...others, { ...(kept ?? fresh), ...rule }] }
}

/** The brands of a project with the changes to try. @throws {Fault} `not_found` for a competitor */
function withChanges(project: StoredBrands, options: PreviewOptions): StoredBrands {
  let tried = project
  for (const change of options.names ?? []) {
    const { competitorId } = change
    if (!competitorId) {
      tried = { ...tried, ...tryName(tried, change) }
      continue
    }
    if (!tried.competitors.some(({ id }) => id === competitorId)) throw notFound()
    const competitors = tried.competitors.map((each) =>
      each.id === competitorId ? tryName(each, change) : each,
    )
    tried = { ...tried, competitors }
  }
  const added = (options.competitors ?? []).map(({ name, domain }) => ({
    id: name,
    name,
    domain,
    aliases: [],
    caseSensitive: null,
    excludedPhrases: [],
  }))
  return { ...tried, competitors: [...tried.competitors, ...added] }
}

/**
 * Counts the answers of a project with the names as they are now and with the changes to try, and writes nothing.
 * @throws {Fault} `not_found`; `invalid_argument` for more than `maxAnswers` answers
 */
export async function previewReanalysis(
  { db, warehouse }: { db: Db; warehouse: Warehouse },
  options: PreviewOptions,
): Promise<ReanalysisPreview> {
  const { projectId, maxAnswers = Number.POSITIVE_INFINITY } = options
  const select = { ...brandFields, visibleLoad: true, deadLoads: true, analysis: true }
  const project = await db.project.findUnique({ where: { id: projectId }, select })
  if (!project) throw notFound()
  const { visibleLoad, deadLoads, analysis } = project
  const visible: VisibleAnswers = { projectId, visibleLoad, deadLoads }
  const answers = await countAnswers(warehouse, visible)
  if (answers > maxAnswers) {
    const most = counted(maxAnswers, 'answer')
    throw invalid('projectId', `has more than ${most}: use \`sightline recount --preview\``)
  }
  const tried = withChanges(project, options)
  const isOlder = (await loadsToReplace(warehouse, visible)).length > 0
  const [before, [cited = noPages], { brands: after, cited: citedAgain }] = await Promise.all([
    run<BrandCounts & { brandId: string }>(warehouse, {
      id: 'analyses.counts',
      sql: countsNow,
      params: { ...visible, analysis },
      timeoutMs: 60_000,
    }),
    run<CitationCounts>(warehouse, {
      id: 'analyses.cited',
      sql: citedNow,
      params: boundTo(visible),
      timeoutMs: 60_000,
    }),
    countAgain(warehouse, visible, tried, isOlder),
  ])
  const beforeOf = new Map(
    before.map(({ brandId, answers, mentions }) => [brandId, { answers, mentions }]),
  )
  const brands = [tried, ...tried.competitors].map(({ id, name }) => ({
    projectId,
    brandId: id,
    brand: name,
    isOwn: id === projectId,
    before: beforeOf.get(id) ?? none,
    after: after.get(id) ?? none,
  }))
  return { answers, cited: { before: cited, after: citedAgain ?? cited }, brands }
}

/** Counts cited pages and domains, each once. */
class CountedPages {
  #citations = 0
  readonly #pages = new Set<string>()
  readonly #domains = new Set<string>()

  add(citations: readonly { readonly url: string; readonly domain: string }[]): void {
    this.#citations += citations.length
    for (const { url, domain } of citations) {
      this.#pages.add(undressed(url))
      if (domain !== '') this.#domains.add(domain)
    }
  }

  counts(): CitationCounts {
    return { citations: this.#citations, urls: this.#pages.size, domains: this.#domains.size }
  }
}

async function countAgain(
  warehouse: Warehouse,
  visible: VisibleAnswers,
  project: StoredBrands,
  withPages: boolean,
): Promise<{ brands: Map<string, BrandCounts>; cited: CitationCounts | null }> {
  const analyse = openAnalysis(brandsOf(project), { withTone: false })
  const counts = new Map<string, BrandCounts>()
  const pages = new CountedPages()
  for await (const page of answerPages(warehouse, visible)) {
    if (withPages) {
      const found = await pagesOf(warehouse, visible, page)
      for (const { citations } of found.values()) pages.add(citations)
    }
    for (const { brandId, occurrences } of (await analyse(page)).flat()) {
      const { answers, mentions } = counts.get(brandId) ?? none
      counts.set(brandId, { answers: answers + 1, mentions: mentions + occurrences })
    }
  }
  return { brands: counts, cited: withPages ? pages.counts() : null }
}
