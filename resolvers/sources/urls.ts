import { growth, share } from '../../core/metrics.ts'
import type { ContentType } from '../../core/sites/content-types.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { domainOf } from '../../core/sites/urls.ts'
import { type DateRange, previousWindow } from '../../core/window.ts'
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
import { urlDetails, urlPage } from './sources.sql.ts'

type UrlListArgs = SourceListArgs & { domain?: string }

/** Which answers the numbers of a URL count, and the domain that it is ranked within. */
export type UrlAsked = Asked & { readonly domain?: string }

/** A URL by its place in the list. */
interface RankedUrl {
  url: string
  cited: number
  responses: number
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
  url: string
  title: string
  contentType: ContentType
  brandMentioned: number
  hasContent: number
}

/** The window of the page and the one before it. */
function bothWindows({ range }: ListPage): DateRange {
  return { from: previousWindow(range).from, to: range.to }
}

/** The URLs of a page in order, and the total of the list. */
async function rankUrls(
  scope: ProjectScope,
  queryId: string,
  args: UrlListArgs,
  page: ListPage,
  filters: Filters,
): Promise<{ rows: RankedUrl[]; total: number }> {
  const shape = {
    facts: factsWhere(filters, page.snapshot),
    afterCursor: page.cursor !== null,
    sourceTypes: isGiven(args.sourceType),
    contentTypes: isGiven(args.contentType),
    oneDomain: args.domain !== undefined,
  }
  const both = bothWindows(page)
  const readPage = (bounds: { limit: number; offset: number }) =>
    run<RankedUrl>(scope.warehouse, {
      id: queryId,
      frozen: true,
      sql: urlPage(shape),
      params: {
        ...factParams(scope.project.id, both, filters, page.snapshot),
        ...listParams(scope, args, page),
        ...bounds,
        currentFrom: page.range.from,
        ...(args.domain === undefined ? {} : { domain: args.domain }),
      },
    })
  const offset = args.offset ?? 0
  const rows = await readPage({ limit: args.limit, offset })
  // Every row holds the total. A page beyond the end has no row: read the first row of the list.
  const [known] = rows.length > 0 || offset === 0 ? rows : await readPage({ limit: 1, offset: 0 })
  return { rows, total: known?.total ?? 0 }
}

async function readDetails(
  scope: ProjectScope,
  queryId: string,
  args: UrlListArgs,
  page: ListPage,
  filters: Filters,
  urls: readonly string[],
): Promise<Map<string, UrlDetails & UrlOrigin>> {
  if (urls.length === 0) return new Map()
  const rows = await run<UrlDetails & UrlOrigin>(scope.warehouse, {
    id: `${queryId}.details`,
    sql: urlDetails({
      facts: factsWhere(filters, page.snapshot),
      oneDomain: args.domain !== undefined,
    }),
    params: {
      ...factParams(scope.project.id, bothWindows(page), filters, page.snapshot),
      ...listParams(scope, args, page),
      analysis: scope.project.analysis,
      currentFrom: page.range.from,
      ...(args.domain === undefined ? {} : { domain: args.domain }),
      urls,
    },
  })
  return new Map(rows.map((row) => [row.url, row]))
}

async function listUrls(scope: ProjectScope, queryId: string, args: UrlListArgs) {
  const page = beginPage(scope, queryId, args)
  const filters = await readFilters(scope, args)
  const { rows, total } = await rankUrls(scope, queryId, args, page, filters)
  const urls = rows.map((row) => row.url)
  const details = await readDetails(scope, queryId, args, page, filters, urls)
  const ofDomain = args.domain === undefined ? {} : { domain: args.domain }
  const asked = { ...askedOf(scope, page.range, args), ...ofDomain }
  const start = page.cursor?.place ?? args.offset ?? 0
  const placed = rows.map((row, i) => ({ ...row, total, start, place: start + i + 1 }))
  const list = pageOf(scope, placed, page, (row) => ({
    citations: row.cited,
    frequency: row.cited,
    name: row.url,
  }))
  return {
    ...list,
    total,
    rows: list.rows.map((row) => {
      const of = details.get(row.url)
      return urlRow(scope.project.id, { ...row, ...(of ?? noOrigin) }, of, asked)
    }),
  }
}

/** The answers do not depend on the domain, which ranks a URL. */
function answersOf({ domain: _domain, ...asked }: UrlAsked): Asked {
  return asked
}

export function urlRow(
  projectId: string,
  row: Omit<RankedUrl, 'total'> & UrlOrigin & { place: number },
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
  const domain = domainOf(args.domain.trim().toLowerCase())
  const list = await listUrls(scope, 'sources.domain-urls', { ...args, domain })
  return {
    domain,
    urls: list.rows,
    totalUrls: list.total,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}
