import { average, type Ratio } from '../../core/metrics.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { resolveCrawls, type TrafficArgs, whereCrawls } from '../traffic/crawls.ts'
import { botPage, joinedPage } from './correlation.sql.ts'

export const correlationGroupings = ['path', 'platform', 'botCategory', 'botName'] as const
export type CorrelationGrouping = (typeof correlationGroupings)[number]

export interface CorrelationArgs extends TrafficArgs, PageArgs {
  groupBy: CorrelationGrouping
}

export interface Correlated {
  readonly projectId: string
  readonly groupBy: CorrelationGrouping
  /** The path, platform, purpose or name. */
  readonly key: string
  readonly crawls: number
  /** Null when only crawls have the key, or without web analytics. */
  readonly referrals: number | null
  /** Null when only crawls have the key. */
  readonly citations: number | null
  readonly crawlToReferral: Ratio | null
}

interface Found {
  readonly key: string
  readonly crawls: number
  readonly referrals?: number
  readonly citations?: number
  readonly total: number
}

const note =
  'Crawls, referrals and citations of the same page or platform in the same date range. That they come together does not prove that one led to the other.'

/**
 * Crawls, referrals and citations by a common key, most crawls first.
 * @throws {Fault} as `beginTraffic` does
 */
export async function trafficCorrelation(scope: ProjectScope, args: CorrelationArgs) {
  const crawls = resolveCrawls(scope, args)
  const { limit, offset, groupBy } = args
  const read = await readerOf(scope, args, crawls)
  const rows = await read(limit, offset)
  // A page beyond the end has no row that holds the total.
  const [first] = rows.length > 0 || offset === 0 ? rows : await read(1, 0)
  return {
    scope,
    rows: rows.map((row) => correlated(scope, row, groupBy)),
    pagination: pagination({ limit, offset }, rows.length, first?.total ?? 0),
    dateRange: { from: crawls.from, to: crawls.to },
    note,
  }
}

export type TrafficCorrelation = Awaited<ReturnType<typeof trafficCorrelation>>

async function readerOf(
  scope: ProjectScope,
  { groupBy }: CorrelationArgs,
  crawls: ReturnType<typeof resolveCrawls>,
) {
  const { where, params } = whereCrawls([scope], crawls)
  const reader = (sql: string, more: object) => (limit: number, offset: number) =>
    run<Found>(scope.warehouse, {
      id: `traffic.correlation-${groupBy}`,
      sql,
      params: { ...params, ...more, limit, offset },
    })
  if (groupBy === 'botCategory' || groupBy === 'botName') return reader(botPage(groupBy, where), {})
  const filters = await readFilters(scope, {})
  const snapshot = currentSnapshot(scope)
  const facts = factsWhere(filters, snapshot)
  const own = {
    ...factParams(scope.project.id, crawls, filters, snapshot),
    ownDomains: brandDomains(scope.project),
  }
  const hasHosts = crawls.hosts !== null
  return reader(joinedPage(groupBy, { crawls: where, facts, hasHosts }), own)
}

function correlated(
  { project }: ProjectScope,
  { key, crawls, referrals, citations }: Found,
  groupBy: CorrelationGrouping,
): Correlated {
  const hasSessions = project.connections.includes('webAnalytics')
  const known = referrals === undefined || !hasSessions ? null : referrals
  return {
    projectId: project.id,
    groupBy,
    key,
    crawls,
    referrals: known,
    citations: citations ?? null,
    crawlToReferral: known === null ? null : average(crawls, known),
  }
}
