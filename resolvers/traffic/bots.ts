import type { BotCategory } from '../../core/bots/bots.ts'
import { type Comparison, comparedWindow, type DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { batched } from '../shared/batch.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  byProject,
  type CrawlPageSelection,
  type CrawlSelection,
  pageOf,
  resolveCrawls,
  type TrafficListArgs,
  whereCrawls,
} from './crawls.ts'
import { botPage, groupPage } from './traffic.sql.ts'

export interface TrafficBot {
  readonly projectId: string
  readonly botId: number
  readonly botName: string
  readonly botVendor: string
  readonly botCategory: BotCategory
  readonly visits: number
  /** Distinct paths. */
  readonly paths: number
  readonly firstMs: number
  readonly lastMs: number
  /** The AI platform that the crawler serves. */
  readonly platformId: string
  /** The crawls that were counted. */
  readonly crawls: CrawlSelection
  /** The window that they are compared with; absent without a comparison. */
  readonly compared?: DateRange | undefined
}

/** A page of crawlers per project, plus one row when more follow. */
export async function botsOfMany(
  scopes: readonly ProjectScope[],
  selection: CrawlPageSelection,
): Promise<TrafficBot[][]> {
  const [first] = scopes
  if (first === undefined) return []
  const { where, params, project } = whereCrawls(scopes, selection)
  const { limit, offset, ...crawls } = selection
  const rows = await run<Omit<TrafficBot, 'crawls'>>(first.warehouse, {
    id: 'traffic.bots',
    sql: botPage(where, project),
    params: { ...params, limit, offset },
  })
  return byProject(
    scopes,
    rows.map((row) => ({ ...row, crawls })),
  )
}

/**
 * A page of crawlers, most crawls first, ties by name.
 * @throws {Fault} as `beginTraffic` does
 */
export async function trafficBots(
  scope: ProjectScope,
  { compare, ...args }: TrafficListArgs & { compare?: Comparison | null | undefined },
) {
  const crawls = resolveCrawls(scope, args)
  const { limit, offset } = args
  const asked = { ...crawls, limit, offset }
  const found = await batched('traffic.bots', scope, asked, botsOfMany)
  const { rows, pagination } = pageOf(found, { limit, offset })
  const dateRange = { from: crawls.from, to: crawls.to }
  const compared = compare ? comparedWindow(dateRange, compare) : undefined
  return { scope, bots: rows.map((row) => ({ ...row, compared })), pagination, dateRange }
}

export type TrafficBotPage = Awaited<ReturnType<typeof trafficBots>>

/**
 * A page of platforms or categories, most crawls first, ties by name.
 * @throws {Fault} as `beginTraffic` does
 */
export async function trafficGroups(
  scope: ProjectScope,
  args: TrafficListArgs,
  by: 'platform' | 'botCategory',
) {
  const crawls = resolveCrawls(scope, args)
  const { limit, offset } = args
  const { where, params } = whereCrawls([scope], crawls)
  const found = await run<{ platform?: string; botCategory?: BotCategory; visits: number }>(
    scope.warehouse,
    {
      id: `traffic.bots-${by}`,
      sql: groupPage(by, where),
      params: { ...params, limit, offset },
    },
  )
  const { rows, pagination } = pageOf(found, { limit, offset })
  return { scope, bots: rows, pagination, dateRange: { from: crawls.from, to: crawls.to } }
}
