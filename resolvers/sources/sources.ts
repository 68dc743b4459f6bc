import { type Bucket, bucketsOf, type HistoryInterval } from '../../core/buckets.ts'
import { average, type Ratio, share } from '../../core/metrics.ts'
import { isMainHost } from '../../core/sites/cited-url.ts'
import type { ContentType } from '../../core/sites/content-types.ts'
import type { SourceType } from '../../core/sites/source-types.ts'
import { previousWindow, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import { mostFirst } from '../shared/count-map.ts'
import { type FactParams, factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  beginPage,
  isGiven,
  type ListRow,
  listParams,
  pageOf,
  type SourceListArgs,
} from './pagination.ts'
import {
  contentTypeList,
  type DomainSort,
  domainDetails,
  domainPage,
  type TrendGroup,
  trend,
} from './sources.sql.ts'

interface RankedDomain {
  domain: string
  citations: number
  frequency: number
  rank: number
  responses: number
}

interface DomainDetails {
  type: SourceType
  pageCount: number
  models: Record<string, number>
  contentTypes: Record<string, number>
  hosts: Record<string, number>
}

export type DomainFacts = RankedDomain & DomainDetails

/** Of a domain that no answer cites. */
const noDetails: DomainDetails = {
  type: 'other',
  pageCount: 0,
  models: {},
  contentTypes: {},
  hosts: {},
}

/** A page of the domains that answers cite. */
export async function sourceDomains(
  scope: ProjectScope,
  args: SourceListArgs & { sort: DomainSort },
) {
  const page = beginPage(scope, 'sourceDomains', args)
  const filters = await readFilters(scope, args)
  const shape = {
    facts: factsWhere(filters, page.snapshot),
    afterCursor: page.cursor !== null,
    sourceTypes: isGiven(args.sourceType),
    contentTypes: false,
  }
  const facts = factParams(scope.project.id, page.range, filters, page.snapshot)
  const params = { ...facts, ...listParams(scope, args, page) }
  const ranked = await run<RankedDomain & ListRow>(scope.warehouse, {
    id: 'sources.domains',
    frozen: true,
    sql: domainPage(shape, args.sort),
    params,
  })
  const list = pageOf(scope, ranked, page, ({ citations, frequency, domain }) => ({
    citations,
    frequency,
    name: domain,
  }))
  const asked = askedOf(scope, page.range, args)
  const domains = list.rows.map(({ domain }) => domain)
  const details = await readDomains(scope, shape.facts, { ...params, domains })
  return {
    sources: list.rows.map((row) => {
      const whole = { ...row, ...(details.get(row.domain) ?? noDetails) }
      return domainRow(scope.project.id, whole, asked)
    }),
    totalSources: list.total,
    hasMore: list.hasMore,
    nextCursor: list.nextCursor,
  }
}

async function readDomains(
  scope: ProjectScope,
  where: string,
  params: FactParams & ReturnType<typeof listParams> & { readonly domains: readonly string[] },
): Promise<Map<string, DomainDetails>> {
  if (params.domains.length === 0) return new Map()
  const rows = await run<DomainDetails & { domain: string }>(scope.warehouse, {
    id: 'sources.domains.details',
    frozen: true,
    sql: domainDetails(where),
    params,
  })
  return new Map(rows.map((row) => [row.domain, row]))
}

export function domainRow(projectId: string, row: DomainFacts, asked: Asked) {
  const hosts = mostFirst(row.hosts)
  return {
    projectId,
    asked,
    cell: wholeCell(projectId, asked, row.domain),
    domain: row.domain,
    rank: row.rank,
    frequency: row.frequency,
    avgCitations: average(row.citations, row.frequency),
    type: row.type,
    totalCitations: row.citations,
    models: mostFirst(row.models),
    pageCount: row.pageCount,
    usage: share(row.frequency, row.responses),
    avgCitationsPerResponse: average(row.citations, row.responses),
    topContentTypes: mostFirst(row.contentTypes).slice(0, 3),
    subdomains: hosts.filter((host) => host !== '' && !isMainHost(host, row.domain)),
  }
}

export type DomainRow = ReturnType<typeof domainRow>

interface ContentTypeFacts {
  contentType: ContentType
  used: number
  previouslyUsed: number
  prompts: number
  citing: number
  competitors: readonly { item: string; count: number }[]
  responses: number
}

/** Content types by citations, with the change of rank against the previous window. */
export async function contentTypes(scope: ProjectScope, args: WindowArgs & FilterArgs) {
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const both = { from: previousWindow(range).from, to: range.to }
  const domains = competitorDomains(scope.project)
  const rows = await run<ContentTypeFacts>(scope.warehouse, {
    id: 'sources.content-types',
    frozen: true,
    sql: contentTypeList(factsWhere(filters, snapshot), domains.length),
    params: {
      ...factParams(scope.project.id, both, filters, snapshot),
      currentFrom: range.from,
      competitorDomains: domains,
    },
  })
  const asked = askedOf(scope, range, args)
  return { contentTypes: rankContentTypes(scope, rows, asked) }
}

function ranksBy(rows: readonly ContentTypeFacts[], count: 'used' | 'previouslyUsed') {
  const ranked = rows
    .filter((row) => row[count] > 0)
    .sort((a, b) => b[count] - a[count] || (a.contentType < b.contentType ? -1 : 1))
  return new Map(ranked.map((row, i) => [row, i + 1]))
}

export interface ContentTypeRow extends InCell {
  contentType: ContentType
  rank: number
  rankChange: number
  totalUsed: number
  promptsCount: number
  citationRate: Ratio
  competitors: string[]
}

function rankContentTypes(
  scope: ProjectScope,
  rows: readonly ContentTypeFacts[],
  asked: Asked,
): ContentTypeRow[] {
  const before = ranksBy(rows, 'previouslyUsed')
  return [...ranksBy(rows, 'used')].map(([row, rank]) => ({
    contentType: row.contentType,
    rank,
    rankChange: (before.get(row) ?? rank) - rank,
    totalUsed: row.used,
    promptsCount: row.prompts,
    citationRate: share(row.citing, row.responses),
    cell: wholeCell(scope.project.id, asked, row.contentType),
    competitors: competitorNames(scope, row.competitors).slice(0, 5),
  }))
}

function competitorNames(scope: ProjectScope, cited: ContentTypeFacts['competitors']): string[] {
  const names = Map.groupBy(scope.project.competitors, (competitor) => competitor.domain)
  return mostFirst(Object.fromEntries(cited.map(({ item, count }) => [item, count])))
    .flatMap((domain) => names.get(domain) ?? [])
    .map(({ name }) => name)
}

export interface CitationCount extends Bucket {
  readonly citationCount: number
}

/** Citations per day, week or month of the brand's domains, its competitors' domains, or the ten most-cited domains. */
export async function sourceTrend(
  scope: ProjectScope,
  args: WindowArgs &
    FilterArgs & { group: TrendGroup; interval?: HistoryInterval | null | undefined },
) {
  const range = resolveWindow(args, yearWindow, scope.now)
  const interval = args.interval ?? 'day'
  const filters = await readFilters(scope, args)
  const snapshot = currentSnapshot(scope)
  const rows = await run<{ date: string; citationCount: number }>(scope.warehouse, {
    id: 'sources.trend',
    frozen: true,
    sql: trend(factsWhere(filters, snapshot), args.group, interval),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      ownDomains: brandDomains(scope.project),
      competitorDomains: competitorDomains(scope.project),
    },
  })
  const counts = new Map(rows.map((row) => [row.date, row.citationCount]))
  return {
    citations: bucketsOf(range, interval).map(
      (bucket): CitationCount => ({ ...bucket, citationCount: counts.get(bucket.date) ?? 0 }),
    ),
    brandDomain: scope.project.domain,
  }
}
