import type { BotCategory } from '../../core/bots/bots.ts'
import { type Bucket, bucketsOf, type HistoryInterval } from '../../core/buckets.ts'
import { type Comparison, comparedWindow, type DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { batched, batchedPart } from '../shared/batch.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  byProject,
  type CrawlSelection,
  resolveCrawls,
  type TrafficArgs,
  whereCrawls,
} from './crawls.ts'
import { comparedReferrals, type Referrals, referralsOfMany } from './referrals.ts'
import { type CrawlKey, crawlCounts } from './traffic.sql.ts'

export const groupings = ['platform', 'botCategory', 'botName'] as const
export type Grouping = (typeof groupings)[number]

interface CrawlCount {
  readonly countedBy: CrawlKey
  /** The values of the key's columns, in the order of the statement. */
  readonly key: readonly string[]
  readonly visits: number
  /** Unix time in milliseconds of the latest crawl; 0 except for `botName`. */
  readonly lastMs: number
}

/** Counts of several projects by some keys, under the same selection. */
async function crawlCountsOfMany(
  scopes: readonly ProjectScope[],
  crawls: CrawlSelection,
  keys: readonly CrawlKey[],
) {
  const [first] = scopes
  if (first === undefined) return []
  // The finest grouping of crawlers contains the others.
  const finest = groupings.findLast((name) => keys.includes(name))
  const others = keys.filter((key) => !groupings.some((name) => name === key))
  const by = (finest === undefined ? others : [finest, ...others]).toSorted()
  const { where, params, project } = whereCrawls(scopes, crawls)
  const rows = await run<CrawlCount & { projectId: string }>(first.warehouse, {
    id: `traffic.${by.join('-')}`,
    sql: crawlCounts(by, where, project),
    params,
  })
  return byProject(scopes, rows).map((ofProject) => {
    const found = Map.groupBy(ofProject, (row) => row.countedBy)
    const ofKey = (key: CrawlKey) => found.get(others.includes(key) ? key : (finest ?? key)) ?? []
    return new Map(keys.map((key) => [key, ofKey(key)]))
  })
}

/** Crawls by a key. Keys and projects that are asked for together share one statement. */
export const crawlsBy = async (
  scope: ProjectScope,
  crawls: CrawlSelection,
  key: CrawlKey,
): Promise<readonly CrawlCount[]> =>
  (await batchedPart('traffic.counts', scope, key, crawls, crawlCountsOfMany)) ?? []

type Count = (key: CrawlKey) => Promise<readonly CrawlCount[]>

const byName = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

function sum(rows: readonly CrawlCount[]): number {
  return rows.reduce((total, { visits }) => total + visits, 0)
}

/** Crawls by the key column at `index`, most first, ties by name. */
function visitsBy(rows: readonly CrawlCount[], index: number) {
  const groups = Map.groupBy(rows, ({ key }) => key[index] ?? '')
  return [...groups]
    .map(([name, found]) => ({ name, visits: sum(found) }))
    .sort((a, b) => b.visits - a.visits || byName(a.name, b.name))
}

/** Crawls by crawler, most first, ties by name. The registry may rename a crawler: the latest name counts. */
function visitsByBot(rows: readonly CrawlCount[]) {
  const groups = Map.groupBy(rows, ({ key }) => key[2] ?? '')
  return [...groups]
    .map(([id, found]) => {
      const [latest] = found.toSorted((a, b) => b.lastMs - a.lastMs)
      const [, botCategory = '', , botName = '', botVendor = ''] = latest?.key ?? []
      return {
        botId: Number(id),
        botName,
        botVendor,
        botCategory: botCategory as BotCategory,
        visits: sum(found),
      }
    })
    .sort((a, b) => b.visits - a.visits || byName(a.botName, b.botName) || a.botId - b.botId)
}

export interface CrawlPoint extends Bucket {
  readonly total: number
}

/** One entry per day, week or month of the window, 0 without crawls. */
function series(
  range: DateRange,
  interval: HistoryInterval,
  rows: readonly CrawlCount[],
): CrawlPoint[] {
  const totals = new Map(rows.map(({ key, visits }) => [key.at(-1), visits]))
  return bucketsOf(range, interval).map((bucket) => {
    return { ...bucket, total: totals.get(bucket.date) ?? 0 }
  })
}

const ofPlatforms = {
  day: 'platformDay',
  week: 'platformWeek',
  month: 'platformMonth',
} as const satisfies Record<HistoryInterval, CrawlKey>

/** A row with its crawls in the compared window; null without a comparison. */
interface Compared {
  readonly previous: number | null
}

/** @param before counts in the compared window; null without a comparison */
function crawlersOf(projectId: string, range: DateRange, count: Count, before: Count | null) {
  /** The crawls of a row of the compared window, by its name. */
  const previousBy = async (key: CrawlKey, index: number) => {
    const rows = before && visitsBy(await before(key), index)
    const found = rows && new Map(rows.map(({ name, visits }) => [name, visits]))
    return (name: string): Compared => ({ previous: found && (found.get(name) ?? 0) })
  }
  const by = async (key: CrawlKey, index: number) => {
    const [rows, previousOf] = await Promise.all([count(key), previousBy(key, index)])
    return visitsBy(rows, index).map((row) => ({ ...row, ...previousOf(row.name) }))
  }
  return {
    total: async () => sum(await count('platform')),
    previousTotal: async () => before && sum(await before('platform')),
    byPlatform: async () =>
      (await by('platform', 0)).map(({ name, visits, previous }) => ({
        projectId,
        platform: name,
        visits,
        previous,
        series: async (interval: HistoryInterval) => {
          const rows = await count(ofPlatforms[interval])
          return series(
            range,
            interval,
            rows.filter(({ key }) => key[0] === name),
          )
        },
      })),
    byCategory: async () =>
      (await by('botCategory', 1)).map(({ name, visits, previous }) => ({
        botCategory: name as BotCategory,
        visits,
        previous,
      })),
    byBot: async () => {
      const [rows, previousOf] = await Promise.all([count('botName'), previousBy('botName', 2)])
      return visitsByBot(rows).map((row) => ({
        projectId,
        ...row,
        ...previousOf(String(row.botId)),
      }))
    },
    byStatus: async () =>
      (await by('status', 0)).map(({ name, visits, previous }) => {
        return { statusCode: Number(name), visits, previous }
      }),
    series: async (interval: HistoryInterval) => series(range, interval, await count(interval)),
  }
}

export type Crawlers = ReturnType<typeof crawlersOf>
type RowOf<List extends () => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number]
export type PlatformVisits = RowOf<Crawlers['byPlatform']>
export type CategoryVisits = RowOf<Crawlers['byCategory']>
export type BotVisits = RowOf<Crawlers['byBot']>
export type StatusVisits = RowOf<Crawlers['byStatus']>

/**
 * Crawls by crawler, day and page. Each part is counted when a field reads it.
 * @throws {Fault} as `beginTraffic` does
 */
export function trafficOverview(
  scope: ProjectScope,
  { compare, ...args }: TrafficArgs & { compare?: Comparison | null | undefined },
) {
  const { id: projectId } = scope.project
  const crawls = resolveCrawls(scope, args)
  const range = { from: crawls.from, to: crawls.to }
  const compared = compare ? comparedWindow(range, compare) : null
  const counter =
    (days: DateRange): Count =>
    (key) =>
      crawlsBy(scope, { ...crawls, ...days }, key)
  const count = counter(range)
  const before = compared && counter(compared)
  const sessions = (days: DateRange) =>
    batched('traffic.referrals', scope, { ...days, hosts: crawls.hosts }, referralsOfMany)
  return {
    scope,
    crawlers: crawlersOf(projectId, range, count, before),
    /** Sessions of people whom AI assistants referred. */
    referrals: async (): Promise<Referrals> => {
      const [now, earlier] = await Promise.all([sessions(range), compared && sessions(compared)])
      return earlier ? comparedReferrals(now, earlier) : now
    },
    /** The ten most crawled pages, ties by path. */
    topPages: async () =>
      visitsBy(await count('path'), 0).map(({ name, visits }) => ({
        projectId,
        path: name,
        crawls: visits,
      })),
    dateRange: range,
  }
}

export type TrafficOverview = ReturnType<typeof trafficOverview>
export type CrawledPage = RowOf<TrafficOverview['topPages']>
