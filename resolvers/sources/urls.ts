import { growth, share } from '../../core/metrics.ts'
import { undressed } from '../../core/sites/cited-url.ts'
import type { ContentType } from '../../core/sites/content-types.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { domainOf, hostOfText } from '../../core/sites/urls.ts'
import { type DateRange, daysOf, lengthOf, previousWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type Filters, readFilters } from '../shared/filters.ts'
import { wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  beginPage,
  isGiven,
  type ListPage,
  listParams,
  pageOf,
  type SourceListArgs,
} from './pagination.ts'
import { responseCount, urlDetails, urlOrigins, urlPage } from './sources.sql.ts'

type UrlListArgs = SourceListArgs & { domain?: string }

/** Which answers the numbers of a URL count, and the domain that it is ranked within. */
export type UrlAsked = Asked & { readonly domain?: string }

/** A URL by its place in the list. */
interface RankedUrl {
  url: string
  cited: number
  total: number
}

/** Where a URL belongs, and its citations in the window before. */
interface UrlOrigin {
  domain: string
  previous: number
  type: SourceType
}

/** Of a URL whose facts were removed after it was ranked. */
const noOrigin: UrlOrigin = { domain: '', previous: 0, type: 'other' }

export interface UrlDetails {
  /** `undressed`: a page may be cited at several addresses. */
  page: string
  title: string
  contentType: ContentType
  brandMentioned: number
  hasContent: number
}

/** The days at the end of a long window that have the details of most URLs. */
const recentDays = 28

/** What the statements of one page share. */
class UrlReader {
  readonly #scope: ProjectScope
  readonly #queryId: string
  readonly #args: UrlListArgs
  readonly #page: ListPage
  readonly #filters: Filters

  constructor(
    scope: ProjectScope,
    queryId: string,
    args: UrlListArgs,
    page: ListPage,
    filters: Filters,
  ) {
    this.#scope = scope
    this.#queryId = queryId
    this.#args = args
    this.#page = page
    this.#filters = filters
  }

  get #facts(): string {
    return factsWhere(this.#filters, this.#page.snapshot)
  }

  get #shape() {
    return { facts: this.#facts, oneDomain: this.#args.domain !== undefined }
  }

  #params(range: DateRange) {
    const { project } = this.#scope
    const { domain } = this.#args
    return {
      ...factParams(project.id, range, this.#filters, this.#page.snapshot),
      currentFrom: this.#page.range.from,
      ...(domain === undefined ? {} : { domain }),
    }
  }

  /** The window of the page and the one before it. */
  get #bothWindows(): DateRange {
    const { range } = this.#page
    return { from: previousWindow(range).from, to: range.to }
  }

  /** The number of answers in the window. */
  async responses(): Promise<number> {
    const [row] = await run<{ responses: number }>(this.#scope.warehouse, {
      id: `${this.#queryId}.responses`,
      frozen: true,
      sql: responseCount(this.#facts),
      params: factParams(
        this.#scope.project.id,
        this.#page.range,
        this.#filters,
        this.#page.snapshot,
      ),
    })
    return row?.responses ?? 0
  }

  /** The URLs of the page in order, and the total of the list. */
  async rank(): Promise<{ rows: RankedUrl[]; total: number }> {
    const args = this.#args
    const shape = {
      ...this.#shape,
      afterCursor: this.#page.cursor !== null,
      sourceTypes: isGiven(args.sourceType),
      contentTypes: isGiven(args.contentType),
    }
    const readPage = (bounds: { limit: number; offset: number }) =>
      run<RankedUrl>(this.#scope.warehouse, {
        id: this.#queryId,
        frozen: true,
        sql: urlPage(shape),
        params: {
          ...this.#params(this.#bothWindows),
          ...listParams(this.#scope, args, this.#page),
          ...bounds,
        },
      })
    const offset = args.offset ?? 0
    const rows = await readPage({ limit: args.limit, offset })
    // Every row holds the total. A page beyond the end has no row: read the first row of the list.
    const [known] = rows.length > 0 || offset === 0 ? rows : await readPage({ limit: 1, offset: 0 })
    return { rows, total: known?.total ?? 0 }
  }

  /** By page. */
  async origins(urls: readonly string[]): Promise<ReadonlyMap<string, UrlOrigin>> {
    if (urls.length === 0) return new Map()
    const rows = await run<UrlOrigin & { page: string }>(this.#scope.warehouse, {
      id: `${this.#queryId}.origins`,
      frozen: true,
      sql: urlOrigins(this.#shape),
      params: {
        ...this.#params(this.#bothWindows),
        ...listParams(this.#scope, this.#args, this.#page),
        urls,
      },
    })
    return new Map(rows.map((row) => [row.page, row]))
  }

  /**
   * By page. The last days of the window have the title of most URLs, and an answer that names the brand. Only for the other
   * URLs does this read the whole window, which takes most of the time of a page.
   */
  async details(urls: readonly string[]): Promise<ReadonlyMap<string, UrlDetails>> {
    const { range } = this.#page
    const recent = daysOf(range).at(-recentDays)
    if (recent === undefined || lengthOf(range) < 2 * recentDays) {
      return this.#detailsSince(range.from, urls)
    }
    const found = await this.#detailsSince(recent, urls)
    const isOpen = (url: string) => {
      const details = found.get(undressed(url))
      return !details?.title || details.brandMentioned !== 1
    }
    return new Map([...found, ...(await this.#detailsSince(range.from, urls.filter(isOpen)))])
  }

  async #detailsSince(
    from: string,
    urls: readonly string[],
  ): Promise<ReadonlyMap<string, UrlDetails>> {
    if (urls.length === 0) return new Map()
    const rows = await run<UrlDetails>(this.#scope.warehouse, {
      id: `${this.#queryId}.details`,
      settled: true,
      sql: urlDetails(this.#shape),
      params: {
        ...this.#params({ from, to: this.#page.range.to }),
        analysis: this.#scope.project.analysis,
        urls,
      },
    })
    return new Map(rows.map((row) => [row.page, row]))
  }
}

async function listUrls(scope: ProjectScope, queryId: string, args: UrlListArgs) {
  const page = beginPage(scope, queryId, args)
  const filters = await readFilters(scope, args)
  const reader = new UrlReader(scope, queryId, args, page, filters)
  const [{ rows, total }, responses] = await Promise.all([reader.rank(), reader.responses()])
  const urls = rows.map((row) => row.url)
  const [origins, details] = await Promise.all([reader.origins(urls), reader.details(urls)])
  const ofDomain = args.domain === undefined ? {} : { domain: args.domain }
  const asked = { ...askedOf(scope, page.range, args), ...ofDomain }
  const start = page.cursor?.place ?? args.offset ?? 0
  const placed = rows.map((row, i) => ({ ...row, responses, total, start, place: start + i + 1 }))
  const list = pageOf(scope, placed, page, (row) => ({
    citations: row.cited,
    frequency: row.cited,
    name: row.url,
  }))
  return {
    ...list,
    total,
    rows: list.rows.map((row) => {
      const page = undressed(row.url)
      const origin = origins.get(page) ?? noOrigin
      return urlRow(scope.project.id, { ...row, ...origin }, details.get(page), asked)
    }),
  }
}

/** The answers do not depend on the domain, which ranks a URL. */
function answersOf({ domain: _domain, ...asked }: UrlAsked): Asked {
  return asked
}

export function urlRow(
  projectId: string,
  row: Omit<RankedUrl, 'total'> & UrlOrigin & { responses: number; place: number },
  details: UrlDetails | undefined,
  asked: UrlAsked,
) {
  return {
    projectId,
    asked,
    cell: wholeCell(projectId, answersOf(asked), row.url),
    url: row.url,
    domain: row.domain,
    title: details?.title ?? '',
    rank: row.place,
    usage: share(row.cited, row.responses),
    totalResponses: row.responses,
    responsesWithUrl: row.cited,
    contentType: details?.contentType ?? 'other',
    citationType: row.type,
    brandMentioned: details?.brandMentioned === 1,
    hasContent: details?.hasContent === 1,
    periodGrowth: growth(row.cited, row.previous),
  }
}

export type UrlRow = ReturnType<typeof urlRow>

/** A page of the URLs that answers cite. */
export async function sourceUrls(scope: ProjectScope, args: SourceListArgs) {
  const list = await listUrls(scope, 'sources.urls', args)
  return {
    urls: list.rows,
    totalUrls: list.total,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}

/** A page of the cited URLs of one domain; empty for a domain that no answer cites. */
export async function domainUrls(scope: ProjectScope, args: SourceListArgs & { domain: string }) {
  const domain = domainOf(hostOfText(args.domain))
  const list = await listUrls(scope, 'sources.domain-urls', { ...args, domain })
  return {
    domain,
    urls: list.rows,
    totalUrls: list.total,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}
