import type { BotCategory } from '../../core/bots/bots.ts'
import type { HitProof } from '../../core/bots/crawler-ranges.ts'
import { Fault, invalid } from '../../core/errors.ts'
import type { PageArgs, Pagination } from '../../core/pagination.ts'
import { parseHost } from '../../core/sites/urls.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { hasTrafficSource } from '../projects/projects.ts'
import { projectParams } from '../shared/facts.sql.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { projectOf } from '../shared/slices.sql.ts'
import { type CrawlFilters, crawlsWhere } from './traffic.sql.ts'

export interface TrafficArgs extends WindowArgs {
  verifications?: readonly HitProof[] | null | undefined
  botCategories?: readonly BotCategory[] | null | undefined
  host?: readonly string[] | null | undefined
}

/** Selects crawls, whatever the project. */
export interface CrawlSelection extends DateRange, CrawlFilters {}

export type TrafficListArgs = TrafficArgs & PageArgs

/** Selects crawls, and a page of a list over them. */
export type CrawlPageSelection = CrawlSelection & PageArgs

function readHost(text: string): string {
  const host = parseHost(text)
  if (host === null) throw invalid('host', 'must be a host name, such as www.example.com', text)
  return host
}

/**
 * Resolves the window and the hosts of a traffic report.
 * @throws {Fault} `invalid_argument`; then `traffic_not_connected` for a project without a traffic source
 */
export function resolveCrawls(scope: ProjectScope, args: TrafficArgs): CrawlSelection {
  const { from, to } = resolveWindow(args, yearWindow, scope.now)
  const hosts = args.host?.length ? [...new Set(args.host.map(readHost))].sort() : null
  if (!hasTrafficSource(scope.project)) {
    throw new Fault(
      'traffic_not_connected',
      'No tracker, CDN or access log is connected to the project.',
    )
  }
  const verification = listOrNull(args.verifications)
  const botCategory = listOrNull(args.botCategories)
  return { from, to, hosts, verification, botName: null, botCategory, path: null }
}

/** Each value once, in one order, so that equal filters are one statement; null for no filter. */
function listOrNull<Value extends string>(values: readonly Value[] | null | undefined) {
  return values?.length ? [...new Set(values)].sort() : null
}

/** The WHERE clause of the selected crawls of several projects, its values, and the project of a row. */
export function whereCrawls(
  scopes: readonly ProjectScope[],
  { from, to, hosts, verification, botName, botCategory, path }: CrawlSelection,
) {
  const filters = { hosts, verification, botName, botCategory, path }
  const given = Object.entries(filters).filter(([, value]) => value !== null)
  return {
    where: crawlsWhere(filters),
    project: projectOf(scopes.length === 1),
    params: {
      ...projectParams(scopes.map(({ project }) => project.id)),
      from,
      to,
      ...Object.fromEntries(given),
    },
  }
}

/** The rows per project, in order. */
export function byProject<Row extends { projectId: string }>(
  scopes: readonly ProjectScope[],
  rows: readonly Row[],
): Row[][] {
  const found = Map.groupBy(rows, ({ projectId }) => projectId)
  return scopes.map(({ project }) => found.get(project.id) ?? [])
}

/** A page from rows read with `limit` + 1; the extra row shows that more follow. */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, offset }: PageArgs,
  totalCount: number | null = null,
): { rows: Row[]; pagination: Pagination } {
  const shown = rows.slice(0, limit)
  const returnedCount = shown.length
  const nextOffset = offset + returnedCount
  const hasMore = rows.length > limit
  return {
    rows: shown,
    pagination: { limit, offset, returnedCount, totalCount, hasMore, nextOffset },
  }
}
