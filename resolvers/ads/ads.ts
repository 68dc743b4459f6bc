import { type Ratio, share } from '../../core/metrics.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { mostFirst } from '../shared/count-map.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import { type PageSelection, readMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { adCounts, adPage, advertiserPage } from './ads.sql.ts'

export interface AdArgs extends WindowArgs, FilterArgs, PageArgs {}

/** Answers in which ads were looked for, and those of them that showed one. */
export interface AdCounts {
  readonly measured: number
  readonly withAds: number
}

/** 100 · answers with an ad ⁄ answers in which ads were looked for. */
export function adRate({ measured, withAds }: AdCounts): Ratio {
  return share(withAds, measured)
}

/** An ad on one platform beside the answers to one prompt. A text is empty where the ad told none. */
export interface AdRow {
  readonly id: string
  readonly advertiser: string
  readonly domain: string
  readonly title: string
  readonly url: string
  readonly platform: string
  readonly promptId: string
  readonly impressions: number
  readonly firstMs: number
  readonly lastMs: number
}

export interface AdvertiserRow {
  /** In its most frequent spelling. */
  readonly advertiser: string
  /** The one that most of its ads have; null where none has any. */
  readonly domain: string | null
  readonly impressions: number
  /** Answers that showed an ad of it. */
  readonly responses: number
  /** 100 · its impressions ⁄ all impressions. */
  readonly shareOfAds: Ratio
}

export interface Page<Row> {
  readonly total: number
  readonly rows: readonly Row[]
}

type ListRow<Row> = Row & {
  readonly projectId: string
  readonly total: number
  readonly place: number
}

/** The rows of the page proper: a statement always brings the list's first row too. */
function pageOf<Row>(found: readonly ListRow<Row>[], offset: number): Page<ListRow<Row>> {
  return { total: found[0]?.total ?? 0, rows: found.filter(({ place }) => place > offset) }
}

function mapped<Row, Result>(
  found: readonly (readonly Row[] | Error)[],
  change: (rows: readonly Row[]) => Result,
): (Result | Error)[] {
  return found.map((rows) => (rows instanceof Error ? rows : change(rows)))
}

/** In how many answers of each of several projects ads were looked for, and found. */
export async function adCountsOfMany(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
): Promise<(AdCounts | Error)[]> {
  const found = await readMany<AdCounts & { projectId: string }>(scopes, selection, {
    id: 'ads.summary',
    list: 'ads',
    sql: adCounts,
  })
  return mapped(found, ([counts]) => counts ?? { measured: 0, withAds: 0 })
}

/** A page of the ads of each of several projects, most impressions first; then by advertiser, title, id. */
export async function adsOfMany(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
): Promise<(Page<AdRow> | Error)[]> {
  const { limit, offset } = selection
  const found = await readMany<ListRow<AdRow>>(scopes, selection, {
    id: 'ads.list',
    list: 'ads',
    sql: adPage,
    params: { limit, offset },
  })
  return mapped(found, (rows) => pageOf(rows, offset))
}

type AdvertiserFacts = ListRow<
  Pick<AdvertiserRow, 'impressions' | 'responses'> & {
    readonly spellings: Record<string, number>
    readonly domains: Record<string, number>
    readonly allImpressions: number
  }
>

/** A page of the advertisers of each of several projects, most impressions first, ties by name. */
export async function advertisersOfMany(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
): Promise<(Page<AdvertiserRow> | Error)[]> {
  const { limit, offset } = selection
  const found = await readMany<AdvertiserFacts>(scopes, selection, {
    id: 'ads.advertisers',
    list: 'ads.advertisers',
    sql: advertiserPage,
    params: { limit, offset },
  })
  return mapped(found, (facts) => {
    const { total, rows } = pageOf(facts, offset)
    return { total, rows: rows.map(advertiserRow) }
  })
}

function advertiserRow({
  spellings,
  domains,
  impressions,
  responses,
  allImpressions,
}: AdvertiserFacts): AdvertiserRow {
  return {
    advertiser: mostFirst(spellings)[0] ?? '',
    domain: mostFirst(domains)[0] ?? null,
    impressions,
    responses,
    shareOfAds: share(impressions, allImpressions),
  }
}

async function beginReport(scope: ProjectScope, args: AdArgs) {
  const { platform, topicId, unbranded, branded, country, locationId, limit, offset } = args
  const dateRange = resolveWindow(args, yearWindow, scope.now)
  const filters = { platform, topicId, unbranded, branded, country, locationId }
  await readFilters(scope, filters)
  const selection: PageSelection = { ...dateRange, ...filters, limit, offset }
  return { dateRange, selection }
}

async function paginationOf<Row>({ limit, offset }: PageArgs, page: Promise<Page<Row>>) {
  const { rows, total } = await page
  return pagination({ limit, offset }, rows.length, total)
}

/** Reads of one project; asks for several at the same time become one statement each. */
export interface AdReads {
  counts(selection: PageSelection): Promise<AdCounts>
  ads(selection: PageSelection): Promise<Page<AdRow>>
  advertisers(selection: PageSelection): Promise<Page<AdvertiserRow>>
}

/**
 * The ads that answers showed. Nothing is counted before it is asked for.
 * @throws {Fault} as `readFilters` does
 */
export async function adReport(scope: ProjectScope, args: AdArgs, reads: AdReads) {
  const { dateRange, selection } = await beginReport(scope, args)
  const page = () => reads.ads(selection)
  return {
    scope,
    dateRange,
    counts: () => reads.counts(selection),
    ads: async () => (await page()).rows,
    pagination: () => paginationOf(selection, page()),
  }
}

export type AdReport = Awaited<ReturnType<typeof adReport>>

/**
 * Who paid for the ads that answers showed.
 * @throws {Fault} as `readFilters` does
 */
export async function advertiserReport(scope: ProjectScope, args: AdArgs, reads: AdReads) {
  const { dateRange, selection } = await beginReport(scope, args)
  const page = () => reads.advertisers(selection)
  return {
    scope,
    dateRange,
    advertisers: async () => (await page()).rows,
    pagination: () => paginationOf(selection, page()),
  }
}

export type AdvertiserReport = Awaited<ReturnType<typeof advertiserReport>>
