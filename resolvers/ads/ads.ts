import { type Ratio, share } from '../../core/metrics.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { askedOf } from '../shared/asked.ts'
import { batched } from '../shared/batch.ts'
import { mostFirst } from '../shared/count-map.ts'
import { type FilterArgs, filtersIn, readFilters } from '../shared/filters.ts'
import { type PageSelection, readMany } from '../shared/many.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { adCounts, adPage, advertiserPage } from './ads.sql.ts'

export interface AdArgs extends WindowArgs, FilterArgs, PageArgs {}

/** Answers checked for ads, and answers that showed an ad. */
export interface AdCounts extends InCell {
  readonly measured: number
  readonly withAds: number
}

/** 100 · answers with an ad ⁄ answers checked for ads. */
export function adRate({ measured, withAds }: AdCounts): Ratio {
  return share(withAds, measured)
}

/** An ad that one platform showed with its answers to one prompt. A text is empty when the ad has none. */
export interface AdRow {
  readonly projectId: string
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

export interface AdvertiserRow extends InCell {
  /** The most frequent spelling. */
  readonly advertiser: string
  /** The domain of most of its ads; null when no ad has a domain. */
  readonly domain: string | null
  readonly impressions: number
  /** Answers that showed an ad of the advertiser. */
  readonly responses: number
  /** 100 · impressions of the advertiser ⁄ all impressions. */
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

/** The rows of the page. `found` holds the first row of the list too: the total is known so. */
function pageOf<Row>(found: readonly ListRow<Row>[], offset: number): Page<ListRow<Row>> {
  return { total: found[0]?.total ?? 0, rows: found.filter(({ place }) => place > offset) }
}

function mapped<Row, Result>(
  scopes: readonly ProjectScope[],
  found: readonly (readonly Row[] | Error)[],
  change: (rows: readonly Row[], scope: ProjectScope) => Result,
): (Result | Error)[] {
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    return rows instanceof Error ? rows : change(rows, scope)
  })
}

/** Counts of several projects: answers checked for ads, and answers with an ad. */
async function adCountsOfMany(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
): Promise<(AdCounts | Error)[]> {
  const found = await readMany<AdCounts & { projectId: string }>(scopes, selection, {
    id: 'ads.summary',
    list: 'ads',
    sql: adCounts,
  })
  return mapped(scopes, found, ([counts], scope) => ({
    ...(counts ?? { measured: 0, withAds: 0 }),
    cell: wholeCell(scope.project.id, askedOf(scope, selection, selection)),
  }))
}

/** A page of ads per project: most impressions first, then by advertiser, title and id. */
async function adsOfMany(
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
  return mapped(scopes, found, (rows) => pageOf(rows, offset))
}

type AdvertiserFacts = ListRow<
  Pick<AdvertiserRow, 'impressions' | 'responses'> & {
    /** The name as it is compared. */
    readonly compared: string
    readonly spellings: Record<string, number>
    readonly domains: Record<string, number>
    readonly allImpressions: number
  }
>

/** A page of advertisers per project: most impressions first, ties by name. */
async function advertisersOfMany(
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
  return mapped(scopes, found, (facts, scope) => {
    const { total, rows } = pageOf(facts, offset)
    const whole = wholeCell(scope.project.id, askedOf(scope, selection, selection))
    const inCell = (row: AdvertiserFacts): AdvertiserRow => ({
      ...advertiserRow(row),
      cell: { ...whole, object: row.compared },
    })
    return { total, rows: rows.map(inCell) }
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
  const { limit, offset } = args
  const dateRange = resolveWindow(args, yearWindow, scope.now)
  const filters = filtersIn(args)
  await readFilters(scope, filters)
  const selection: PageSelection = { ...dateRange, ...filters, limit, offset }
  return { dateRange, selection }
}

async function paginationOf<Row>({ limit, offset }: PageArgs, page: Promise<Page<Row>>) {
  const { rows, total } = await page
  return pagination({ limit, offset }, rows.length, total)
}

/**
 * The ads that answers showed. Each part is counted when a field reads it.
 * @throws {Fault} as `readFilters` does
 */
export async function adReport(scope: ProjectScope, args: AdArgs) {
  const { dateRange, selection } = await beginReport(scope, args)
  const page = () => batched('ads.list', scope, selection, adsOfMany)
  return {
    scope,
    dateRange,
    counts: () => batched('ads.summary', scope, selection, adCountsOfMany),
    ads: async () => (await page()).rows,
    pagination: () => paginationOf(selection, page()),
  }
}

export type AdReport = Awaited<ReturnType<typeof adReport>>

/**
 * The advertisers of the ads that answers showed.
 * @throws {Fault} as `readFilters` does
 */
export async function advertiserReport(scope: ProjectScope, args: AdArgs) {
  const { dateRange, selection } = await beginReport(scope, args)
  const page = () => batched('ads.advertisers', scope, selection, advertisersOfMany)
  return {
    scope,
    dateRange,
    advertisers: async () => (await page()).rows,
    pagination: () => paginationOf(selection, page()),
  }
}

export type AdvertiserReport = Awaited<ReturnType<typeof advertiserReport>>
