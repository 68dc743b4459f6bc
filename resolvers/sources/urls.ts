import { growth, share } from '../../core/metrics.ts'
import { domainOf } from '../../core/sites/urls.ts'
import { previousWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type Filters, readFilters } from '../shared/filters.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  beginWalk,
  isGiven,
  listParams,
  pageOf,
  type SourceListArgs,
  type Walk,
} from './pagination.ts'
import { urlDetails, urlPage } from './sources.sql.ts'

type UrlListArgs = SourceListArgs & { domain?: string }

interface RankedUrl {
  url: string
  domain: string
  cited: number
  previous: number
  type: string
  responses: number
  total: number
}

interface UrlDetails {
  url: string
  title: string
  contentType: string
  brandMentioned: number
  hasContent: number
}

/** The page's URLs in their order, and how many there are in all. */
async function rankUrls(
  scope: ProjectScope,
  queryId: string,
  args: UrlListArgs,
  walk: Walk,
  filters: Filters,
): Promise<{ rows: RankedUrl[]; total: number }> {
  const shape = {
    facts: factsWhere(filters, walk.snapshot),
    afterCursor: walk.position !== null,
    sourceTypes: isGiven(args.sourceType),
    contentTypes: isGiven(args.contentType),
    oneDomain: args.domain !== undefined,
  }
  const both = { from: previousWindow(walk.range).from, to: walk.range.to }
  const ask = (page: { limit: number; offset: number }) =>
    run<RankedUrl>(scope.warehouse, {
      id: queryId,
      frozen: true,
      sql: urlPage(shape),
      params: {
        ...factParams(scope.project.id, both, filters, walk.snapshot),
        ...listParams(scope, args, walk),
        ...page,
        currentFrom: walk.range.from,
        ...(args.domain === undefined ? {} : { domain: args.domain }),
      },
    })
  const offset = args.offset ?? 0
  const rows = await ask({ limit: args.limit, offset })
  // Each row knows the total: a page beyond the end has none, so that the first row is asked for it.
  const [known] = rows.length > 0 || offset === 0 ? rows : await ask({ limit: 1, offset: 0 })
  return { rows, total: known?.total ?? 0 }
}

async function readDetails(
  scope: ProjectScope,
  queryId: string,
  walk: Walk,
  filters: Filters,
  urls: readonly string[],
): Promise<Map<string, UrlDetails>> {
  if (urls.length === 0) return new Map()
  const rows = await run<UrlDetails>(scope.warehouse, {
    id: `${queryId}.details`,
    sql: urlDetails(factsWhere(filters, walk.snapshot)),
    params: {
      ...factParams(scope.project.id, walk.range, filters, walk.snapshot),
      analysis: scope.project.analysis,
      urls,
    },
  })
  return new Map(rows.map((row) => [row.url, row]))
}

async function listUrls(scope: ProjectScope, queryId: string, args: UrlListArgs) {
  const walk = beginWalk(scope, queryId, args)
  const filters = await readFilters(scope, args)
  const { rows, total } = await rankUrls(scope, queryId, args, walk, filters)
  const urls = rows.map((row) => row.url)
  const details = await readDetails(scope, queryId, walk, filters, urls)
  const start = walk.position?.place ?? args.offset ?? 0
  const placed = rows.map((row, i) => ({ ...row, total, start, place: start + i + 1 }))
  const list = pageOf(scope, placed, walk, (row) => ({
    citations: row.cited,
    frequency: row.cited,
    name: row.url,
  }))
  return { ...list, total, page: list.page.map((row) => urlRow(row, details.get(row.url))) }
}

function urlRow(row: RankedUrl & { place: number }, details: UrlDetails | undefined) {
  return {
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

/** The URLs that answers cite, a page of them. */
export async function sourceUrls(scope: ProjectScope, args: SourceListArgs) {
  const list = await listUrls(scope, 'sources.urls', args)
  return {
    urls: list.page,
    totalUrls: list.total,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}

/** The cited URLs of one domain. A domain that no answer cites has none. */
export async function domainUrls(scope: ProjectScope, args: SourceListArgs & { domain: string }) {
  const domain = domainOf(args.domain.trim().toLowerCase())
  const list = await listUrls(scope, 'sources.domain-urls', { ...args, domain })
  return {
    domain,
    urls: list.page,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}
