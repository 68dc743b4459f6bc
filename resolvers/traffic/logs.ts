import type { BotCategory } from '../../core/bots/bots.ts'
import type { HitProof } from '../../core/bots/crawler-ranges.ts'
import { run } from '../../warehouse/run.ts'
import { batched } from '../shared/batch.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  byProject,
  type CrawlPageSelection,
  pageOf,
  resolveCrawls,
  type TrafficListArgs,
  whereCrawls,
} from './crawls.ts'
import { crawlDays, crawlPage } from './traffic.sql.ts'

export interface TrafficLogArgs extends TrafficListArgs {
  botName?: string | null | undefined
  botCategory?: Choice<BotCategory>
  path?: string | null | undefined
}

/** A crawl, without the IP address and user agent of the client. */
export interface TrafficLog {
  readonly projectId: string
  readonly atMs: number
  readonly method: string
  /** Empty when unknown; country and referrer too. */
  readonly host: string
  readonly path: string
  readonly statusCode: number
  readonly responseTimeMs: number
  readonly botName: string
  readonly botVendor: string
  readonly botCategory: BotCategory
  readonly country: string
  readonly proof: HitProof
  readonly referrerDomain: string
}

interface LogPage {
  readonly rows: readonly TrafficLog[]
  readonly total: number
}

/** Crawls of one day of a project. */
interface CrawlDay {
  readonly projectId: string
  readonly date: string
  readonly crawls: number
}

/** The oldest day that a page has crawls of, and the number of all crawls. The days are the newest first. */
function reach(days: readonly CrawlDay[], rows: number): { oldest: string | null; total: number } {
  let oldest: string | null = null
  let total = 0
  for (const { date, crawls } of days) {
    if (total < rows) oldest = date
    total += crawls
  }
  return { oldest, total }
}

/**
 * A page of crawls per project, plus one row when more follow. The engine has the crawls of each day as sums: only the
 * days of the page are read. A first page is read from the last day meanwhile, which has it all in a busy project.
 */
async function logsOfMany(
  scopes: readonly ProjectScope[],
  { limit, offset, ...selection }: CrawlPageSelection,
): Promise<LogPage[]> {
  const [first] = scopes
  if (first === undefined) return []
  const { where, params, project } = whereCrawls(scopes, selection)
  const pageSince = (from: string) =>
    run<TrafficLog & { projectId: string }>(first.warehouse, {
      id: 'traffic.logs',
      sql: crawlPage(where),
      params: { ...params, from, limit, offset },
    })
  const { to } = selection
  const [days, ofLastDay] = await Promise.all([
    run<CrawlDay>(first.warehouse, {
      id: 'traffic.logs-days',
      sql: crawlDays(where, project),
      params,
    }),
    offset === 0 ? pageSince(to) : undefined,
  ])
  const reached = byProject(scopes, days).map((each) => reach(each, offset + limit + 1))
  const [from] = reached.flatMap(({ oldest }) => oldest ?? []).sort()
  const expected = reached.reduce((sum, { total }) => sum + Math.min(total, limit + 1), 0)
  const hasAll = ofLastDay !== undefined && ofLastDay.length >= expected
  const since = async () => (from === undefined ? [] : pageSince(from))
  const rows = hasAll ? ofLastDay : await since()
  return byProject(scopes, rows).map((page, i) => ({ rows: page, total: reached[i]?.total ?? 0 }))
}

/**
 * A page of single crawls, newest first. Crawls that arrive between two pages shift the second.
 * @throws {Fault} as `beginTraffic` does
 */
export async function trafficLogs(scope: ProjectScope, args: TrafficLogArgs) {
  const crawls = resolveCrawls(scope, args)
  const { limit, offset, botName = null, path = null } = args
  const botCategory = chosen(args.botCategory)
  const asked = { ...crawls, botName, botCategory, path, limit, offset }
  const found = await batched('traffic.logs', scope, asked, logsOfMany)
  const { rows, pagination } = pageOf(found.rows, { limit, offset }, found.total)
  return { scope, logs: rows, pagination, dateRange: { from: crawls.from, to: crawls.to } }
}

export type TrafficLogPage = Awaited<ReturnType<typeof trafficLogs>>
