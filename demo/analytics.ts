import { idOf } from '../core/ids.ts'
import { platformOfSource } from '../core/sites/ai-hosts.ts'
import type { DatedRow } from '../imports/analytics/dated-rows.ts'
import type { Db } from '../prisma/client.ts'
import { insert, type Warehouse } from '../warehouse/run.ts'
import type { DemoOptions } from './answers.ts'
import { type Draw, drawFrom } from './random.ts'
import { ownHost, ownPaths } from './sources.ts'
import { ownBrand, shortName } from './world.ts'

/** Sources of visitors of the demo's site: sessions a day on the first and the last day, and landing pages. */
const sources = [
  { source: 'google', medium: 'organic', daily: [190, 165], pages: 12 },
  { source: '(direct)', medium: '(none)', daily: [70, 75], pages: 6 },
  { source: 'bing', medium: 'organic', daily: [18, 20], pages: 4 },
  { source: 'newsletter', medium: 'email', daily: [12, 14], pages: 2 },
  { source: 'chatgpt.com', medium: 'referral', daily: [9, 31], pages: 5 },
  { source: 'perplexity.ai', medium: 'referral', daily: [5, 9], pages: 3 },
  { source: 'gemini.google.com', medium: 'referral', daily: [2, 7], pages: 2 },
  { source: 'copilot.microsoft.com', medium: 'referral', daily: [2, 3], pages: 1 },
  { source: 'claude.ai', medium: 'referral', daily: [1, 4], pages: 1 },
] as const

const dayMs = 24 * 60 * 60 * 1000
/** Google reports clicks this many days late. */
const searchDelayDays = 2

interface Day {
  readonly day: string
  /** 0 at the first, 1 at the last. */
  readonly at: number
  readonly isLast: boolean
}

function daysOf({ endDay, days = 90 }: DemoOptions): Day[] {
  return Array.from({ length: days }, (_, i) => ({
    day: new Date(Date.parse(endDay) - (days - 1 - i) * dayMs).toISOString().slice(0, 10),
    at: days > 1 ? i / (days - 1) : 1,
    isLast: i === days - 1,
  }))
}

const weightOf = (path: string) => (path === '/' ? 8 : path.startsWith('/products/') ? 5 : 2)

const between = ([first, last]: readonly [number, number], at: number) =>
  first + (last - first) * at

/** Sessions of a day. The last day has only its first hour. */
function* sessionsOn(draw: Draw, paths: readonly string[], { day, at, isLast }: Day) {
  for (const { source, medium, daily, pages } of sources) {
    const isAi = platformOfSource(source) !== null
    const mean = (between(daily, at) / pages) * (isLast ? 1 / 24 : 1)
    for (const page of draw.some(paths, pages, weightOf)) {
      const sessions = Math.round(mean * (0.6 + 0.8 * draw.next()))
      if (sessions === 0) continue
      const bounceRate = (isAi ? 0.3 : 0.45) + 0.2 * draw.next()
      yield {
        day,
        host: ownHost,
        page,
        source,
        medium,
        part: '',
        shape: 'demo',
        platform: platformOfSource(source) ?? '',
        sessions,
        users: Math.max(1, sessions - draw.between(0, Math.floor(sessions / 5))),
        bounced_sessions: Math.round(sessions * bounceRate),
        duration_seconds: sessions * draw.between(isAi ? 70 : 40, 160),
        conversions: Math.round(sessions * draw.next() * (isAi ? 0.09 : 0.04)),
      } satisfies DatedRow
    }
  }
}

/** Web analytics, about 30 rows a day. The same options give the same rows. */
export function demoSessions(options: DemoOptions): DatedRow[] {
  const draw = drawFrom(options.seed)
  const paths = ownPaths()
  return daysOf(options).flatMap((day) => [...sessionsOn(draw, paths, day)])
}

/** For each page its search query, its rank and its impressions a day. */
function searchesOf(draw: Draw) {
  return ownPaths().map((path) => {
    const words = path.split('/').at(-1)?.replaceAll('-', ' ')
    const isBranded = path === '/' || path.startsWith('/products/')
    const query = words || shortName(ownBrand).toLowerCase()
    const rank = isBranded ? 1 + draw.next() : 3 + draw.between(0, 26) + draw.next()
    return { path, query, rank, daily: isBranded ? draw.between(40, 90) : draw.between(8, 60) }
  })
}

const devices = ['mobile', 'desktop', 'mobile', 'tablet', 'desktop', 'mobile'] as const
const countries = ['usa', 'deu', 'usa', 'gbr'] as const

/** Search Console rows, one for each day and query, until `searchDelayDays` before the last day. */
export function demoSearches(options: DemoOptions): DatedRow[] {
  const draw = drawFrom(options.seed + 1)
  const searches = searchesOf(draw)
  return daysOf(options)
    .slice(0, -searchDelayDays)
    .flatMap(({ day, at }) =>
      searches.map(({ path, query, rank, daily }): DatedRow => {
        const position = Math.max(1, rank * (1.1 - 0.25 * at) + draw.next() - 0.5)
        const impressions = Math.round(daily * (0.6 + 0.8 * draw.next()))
        return {
          day,
          query,
          page: `https://${ownHost}${path}`,
          country: draw.pick(countries),
          device: draw.pick(devices),
          part: '',
          shape: 'demo',
          clicks: Math.round((impressions * 0.32 * draw.next()) / position),
          impressions,
          position,
        }
      }),
    )
}

/**
 * Links the demo's site to web analytics and a search console, and loads 90 days of both. A second call, after an
 * interruption, adds nothing twice.
 * @throws {Fault} 502 when the warehouse is away
 */
export async function loadDemoAnalytics(
  { db, warehouse }: { readonly db: Db; readonly warehouse: Warehouse },
  projectId: string,
  options: DemoOptions,
): Promise<void> {
  const loaded_at = `${options.endDay}T00:00:00.000Z`
  const full = (rows: readonly DatedRow[]) =>
    rows.map((row) => ({ project_id: projectId, ...row, loaded_at }))
  const token = `demo:${projectId}`
  await insert(warehouse, { table: 'web_analytics', rows: full(demoSessions(options)), token })
  await insert(warehouse, { table: 'search_console', rows: full(demoSearches(options)), token })
  const links = [
    { kind: 'webAnalytics', host: null },
    { kind: 'searchConsole', host: `sc-domain:${ownBrand.domain}` },
  ] as const
  const data = links.map((link) => ({
    id: idOf(projectId, 'connection', link.kind),
    projectId,
    ...link,
  }))
  await db.connection.createMany({ data, skipDuplicates: true })
}
