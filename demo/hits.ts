import { builtinBots, createBotMatcher } from '../core/bots/bots.ts'
import { builtinRanges } from '../core/bots/crawler-ranges.ts'
import { idOf } from '../core/ids.ts'
import { hitLine } from '../ingest/event/event.ts'
import type { Db } from '../prisma/client.ts'
import { insert, type Warehouse } from '../warehouse/run.ts'
import type { DemoOptions } from './answers.ts'
import { crawlers, type DemoCrawler } from './crawlers.ts'
import { type Draw, drawFrom } from './random.ts'
import { ownHost, ownPaths } from './sources.ts'
import { ownBrand } from './world.ts'

interface Page {
  readonly host: string
  readonly path: string
  /** How often it is asked for, by what a crawler reads. */
  readonly weights: Readonly<Record<DemoCrawler['reads'], number>>
  readonly status?: number
}

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

const supportHost = `support.${ownBrand.domain}`

/** How the crawls of each host come in. */
const sources = [
  { kind: 'tracker', host: ownHost },
  { kind: 'log', host: supportHost },
] as const

const weights = (everything: number, users: number, linked: number): Page['weights'] => ({
  everything,
  'what users ask': users,
  'what is linked': linked,
})

function weightsOf(path: string): Page['weights'] {
  if (path === '/') return weights(6, 2, 12)
  if (path.startsWith('/products/')) return weights(3, 9, 6)
  if (path.startsWith('/how-to-')) return weights(2, 4, 2)
  return weights(2, 1, 2)
}

/** Pages that answers cite, files that only crawlers read, a product that is gone, and the pages of support. */
function pagesOfSite(): readonly Page[] {
  const cited = ownPaths().map((path) => ({ path, weights: weightsOf(path) }))
  const files = ['/robots.txt', '/sitemap.xml'].map((path) => ({
    path,
    weights: weights(16, 0, 10),
  }))
  const others = [
    { path: '/llms.txt', weights: weights(3, 1, 0), status: 404 },
    { path: '/products/lumora-halo-2', weights: weights(3, 5, 1), status: 404 },
  ]
  const support = ['/', '/warranty', '/firmware', '/pairing', '/spare-parts'].map((path) => ({
    path,
    weights: weights(2, 3, 1),
  }))
  return [
    ...[...cited, ...files, ...others].map((page) => ({ ...page, host: ownHost })),
    ...support.map((page) => ({ ...page, host: supportHost })),
  ]
}

/** How many requests come on a day; a fraction is made up for by chance. */
function countOn(draw: Draw, crawler: DemoCrawler, startMs: number, at: number): number {
  const [first, last] = crawler.daily
  const isWeekend = [0, 6].includes(new Date(startMs).getUTCDay())
  const expected = (first + (last - first) * at) * (isWeekend ? crawler.weekend : 1)
  return Math.floor(expected * (0.6 + 0.8 * draw.next()) + draw.next())
}

function event(draw: Draw, { agent, reads }: DemoCrawler, pages: readonly Page[], atMs: number) {
  const [page] = draw.some(pages, 1, (each) => each.weights[reads])
  const { host = ownHost, path = '/', status = draw.chance(0.04) ? 304 : 200 } = page ?? {}
  return {
    event_name: 'server_request',
    timestamp: atMs,
    method: 'GET',
    path,
    url: `https://${host}${path}`,
    status_code: status,
    response_time_ms: draw.between(18, 240),
    user_agent: agent,
    country: 'US',
  }
}

/**
 * Invented requests of crawlers, the same for the same options: some 50 a day. Those of the last day come in
 * its first hour, so that none is still to come.
 */
export function* demoEvents({ seed, endDay, days = 90 }: DemoOptions) {
  const draw = drawFrom(seed)
  const pages = pagesOfSite()
  const lastDayMs = Date.parse(`${endDay}T00:00:00Z`)
  for (let day = 0; day < days; day++) {
    const startMs = lastDayMs - (days - 1 - day) * dayMs
    const lengthMs = startMs === lastDayMs ? hourMs : dayMs
    for (const crawler of crawlers) {
      const count = countOn(draw, crawler, startMs, days > 1 ? day / (days - 1) : 1)
      for (let i = 0; i < count; i++) {
        yield event(draw, crawler, pages, startMs + draw.between(0, lengthMs - 1))
      }
    }
  }
}

/** An address out of a range: the second one, since the first may be a network that was cut. */
const secondOf = (prefix: string) =>
  prefix.replace(/^(\d+\.\d+\.\d+\.)0\/.*/, '$11').replace(/\/.*/, '')

/** An address that the vendor of a crawler publishes; undefined where it publishes none. */
function addressOf(crawler: string | undefined, place: number): string | undefined {
  const prefixes = builtinRanges.find((ranges) => ranges.crawler === crawler)?.prefixes
  return prefixes && secondOf(prefixes[place % prefixes.length] ?? '')
}

/** The events as rows of `crawler_hits`. */
function rowsOf(projectId: string, options: DemoOptions): Record<string, unknown>[] {
  const bots = createBotMatcher(builtinBots)
  const now = Date.parse(`${options.endDay}T00:00:00Z`) + hourMs
  return [...demoEvents(options)].flatMap((each, place) => {
    const source = sources.find(({ host }) => each.url.startsWith(`https://${host}/`))
    const ip_address = addressOf(bots.match(each.user_agent)?.name, place)
    const event = { ...each, ip_address }
    const { line } = hitLine(event, { projectId, source: source?.kind ?? 'tracker', bots, now })
    return line === undefined ? [] : [JSON.parse(line) as Record<string, unknown>]
  })
}

/**
 * Connects the demonstration's site, and loads 90 days of invented crawls. Doing it again, after it was cut off,
 * adds nothing twice.
 * @throws {Fault} 502 when the warehouse is away
 */
export async function loadDemoHits(
  { db, warehouse }: { readonly db: Db; readonly warehouse: Warehouse },
  projectId: string,
  options: DemoOptions,
): Promise<void> {
  const rows = rowsOf(projectId, options)
  await insert(warehouse, { table: 'crawler_hits', rows, token: `demo:${projectId}` })
  const data = sources.map((source) => ({
    id: idOf(projectId, 'connection', source.kind),
    projectId,
    ...source,
  }))
  await db.connection.createMany({ data, skipDuplicates: true })
}
