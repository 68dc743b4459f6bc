import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeIngestKey, makeSiteToken } from '../../core/tokens.ts'
import { openBots } from '../../ingest/bots/bots.ts'
import { createVerifier } from '../../ingest/endpoint/key.ts'
import { startTracker } from '../../ingest/endpoint/tracker.ts'
import { openLog } from '../../ingest/log/log.ts'
import { startWriter } from '../../ingest/writer/writer.ts'
import crawlerAgents from '../fixtures/agents/crawlers.json' with { type: 'json' }
import { useApi } from '../kit/api.ts'
import { clearOfMidnight, dayMs } from '../kit/day.ts'
import { flat } from '../kit/graphql/flat.ts'
import { realData } from '../kit/real-data.ts'
import { until } from '../kit/service.ts'
import { connectSource } from '../kit/tracker/hits.ts'

await clearOfMidnight()

/**
 * 43,269 real crawler requests to one site, by hour, pass through a real tracker, its log and its writer. Then
 * they are counted twice: by the service, and below by independent code.
 */
const api = useApi()

/** The file's names of crawlers, and what the registry says of each. */
const crawlers: Record<string, readonly [bot: string, platform: string, category: string]> = {
  'Meta AI': ['Meta-ExternalAgent', 'meta_ai', 'ai_training'],
  ClaudeBot: ['ClaudeBot', 'claude', 'ai_training'],
  'Anthropic AI': ['anthropic-ai', 'claude', 'ai_training'],
  Amazonbot: ['Amazonbot', 'amazon_rufus', 'ai_training'],
  Bytespider: ['Bytespider', 'doubao', 'ai_training'],
  GPTBot: ['GPTBot', 'chatgpt', 'ai_training'],
  ChatGPT: ['ChatGPT-User', 'chatgpt', 'ai_assistant'],
  PerplexityBot: ['PerplexityBot', 'perplexity', 'ai_search'],
  Bingbot: ['bingbot', 'copilot', 'search_engine'],
}

/** An agent that the crawler really sends. */
const agentOf = (bot: string) => crawlerAgents.find((known) => known.bot === bot)?.userAgent ?? ''

/** The rows of the file: an hour each, of one crawler on one page. The first 287 name no page. */
const real = realData('data/crawler-log.csv')
const rows = real.lines.slice(1).map((line) => {
  const [hour = '', name = '', count = '', host = '', path] = line.split(',')
  const [bot, platform, category] = crawlers[name] ?? ['', '', '']
  const startMs = Date.parse(hour.slice(0, 20))
  return { startMs, count: Number(count), host, path, bot, platform, category }
})

/** The tracker keeps nothing that is older than 400 days: the file is moved by whole days to end yesterday. */
const lastMs = Math.max(...rows.map(({ startMs }) => startMs))
const moveMs = (Math.floor(Date.now() / dayMs) - 1 - Math.floor(lastMs / dayMs)) * dayMs

/** One event a request, a second apart. A request without a page is one as the tracker must not take it. */
const events = rows.flatMap(({ startMs, count, host, path, bot }) =>
  Array.from({ length: count }, (_, i) => ({
    event_name: 'server_request',
    timestamp: startMs + moveMs + i * 1000,
    method: 'GET',
    path,
    url: `https://${host}${path ?? '/'}`,
    status_code: 200,
    response_time_ms: 10,
    user_agent: agentOf(bot),
  })),
)

type Row = (typeof rows)[number]

/** A path with slashes at its end is the page without. */
const pageOf = ({ path = '' }: Row) => path.replace(/\/+$/, '') || '/'

/** How many requests for pages there are by a key, most first, ties by the key. */
function sums(keyOf: (row: Row) => string): [key: string, requests: number][] {
  const found: Record<string, number> = {}
  for (const row of rows) {
    if (row.path !== undefined) found[keyOf(row)] = (found[keyOf(row)] ?? 0) + row.count
  }
  return Object.entries(found).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
const total = sums(() => '')[0]?.[1] ?? 0

let key = ''
let project = ''
let close = async () => {}

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ name: 'Sobrado', domain: 'boazsobrado.com' })
  key = (await workspace.key()).key
  await connectSource(api.db, project)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-real-traffic-'))
  const [secret, logger] = ['real-traffic', pino({ level: 'silent' })]
  const revoked = { keys: new Set<string>(), projects: new Set<string>() }
  const log = await openLog({ dir: folder, log: logger, minFreeBytes: 0 })
  const writer = startWriter({ dir: folder, warehouse: api.warehouse, log: logger })
  const tracker = await startTracker({
    host: '127.0.0.1',
    port: 0,
    log,
    bots: await openBots({ lastGoodFile: join(folder, 'bots.json'), log: logger }),
    verifier: createVerifier({ secrets: [secret], revoked: () => revoked }),
    logger,
  })
  close = async () => {
    await tracker.close()
    await log.close()
    await writer.close()
    await rm(folder, { recursive: true })
  }
  const ids = { id: 'real-traffic', workspaceId: workspace.id }
  const headers = { authorization: `Bearer ${makeIngestKey(secret, ids)}` }
  const site_token = makeSiteToken(secret, { projectId: project, workspaceId: workspace.id })
  for (let at = 0; at < events.length; at += 1500) {
    const body = JSON.stringify({ site_token, events: events.slice(at, at + 1500) })
    const response = await fetch(`${tracker.url}/v1/events`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(202)
  }
  await until(async () => (await counted()) >= total, 60_000)
})

afterAll(() => close())

type Body = Record<string, unknown>

async function rest(path: string): Promise<Body> {
  const response = await api.get(`/api/mcp/projects/${project}/traffic/${path}`, key)
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

async function counted(): Promise<number> {
  const { pagination } = await rest('logs?limit=1&days=365')
  return (pagination as { totalCount: number }).totalCount
}

/** Both doors' answer to the same overview; of GraphQL all that REST has. */
async function overview(args: { host?: string }) {
  const host = args.host ? `&host=${args.host}` : ''
  const [byBot, byCategory] = await Promise.all([
    rest(`overview?days=365&groupBy=botName${host}`),
    rest(`overview?days=365&groupBy=botCategory${host}`),
  ])
  const hosts = args.host ? `, filter: { hosts: ["${args.host}"] }` : ''
  const query = `{ project(id: "${project}") { trafficOverview(window: { days: 365 }${hosts}) {
    crawlers { total byPlatform { platform { slug } visits } byCategory { botCategory visits }
      byBot { botId botName botVendor botCategory visits } series { date visits } }
    topPages { path visits } } } }`
  const response = await api.graphql(query, key)
  const { data } = (await response.json()) as {
    data: { project: { trafficOverview: { crawlers: Record<string, Body[]>; topPages: Body[] } } }
  }
  const { crawlers: inGraph, topPages } = data.project.trafficOverview
  const { series = [], ...counts } = flat(inGraph)
  expect(counts).toEqual({ ...(byBot.crawlers as Body), ...(byCategory.crawlers as Body) })
  expect(topPages.map(({ path, visits }) => ({ path, crawls: visits, referrals: null }))).toEqual(
    byBot.topPages,
  )
  return { counts, series, topPages }
}

const pairs = (rows: Body[] = [], name: string, count = 'visits') =>
  rows.map((row) => [row[name], row[count]])

describe.skipIf(real.isAbsent)('the requests of the file', () => {
  test('are all there but those that name no page', () => {
    const all = rows.reduce((sum, { count }) => sum + count, 0)
    expect([rows.length, all]).toEqual([30_434, 43_269])
    expect(rows.filter(({ path }) => path === undefined)).toHaveLength(287)
    expect(total).toBe(41_816)
  })

  test('are as many by platform, purpose, crawler, page and day', async () => {
    const { counts, series, topPages } = await overview({})
    expect(counts.total).toBe(total)
    expect(pairs(counts.byPlatform, 'platform')).toEqual(sums((row) => row.platform))
    expect(pairs(counts.byCategory, 'botCategory')).toEqual(sums((row) => row.category))
    expect(pairs(counts.byBot, 'botName')).toEqual(sums((row) => row.bot))
    expect(pairs(topPages, 'path')).toEqual(sums(pageOf).slice(0, 10))
    const dayOf = (row: Row) => new Date(row.startMs + moveMs).toISOString().slice(0, 10)
    const days = new Map(sums(dayOf))
    expect(series).toHaveLength(365)
    for (const { date, visits } of series) expect(visits).toBe(days.get(String(date)) ?? 0)
  })

  test('are as many on each host', async () => {
    const hosts = sums((row) => row.host)
    expect(hosts).toHaveLength(4)
    for (const [host, requests] of hosts) {
      const { counts } = await overview({ host: host.toUpperCase() })
      expect(counts.total).toBe(requests)
    }
  })

  test('tell when each crawler came, and how many pages it read', async () => {
    const { bots } = (await rest('bots?days=365')) as { bots: Body[] }
    expect(pairs(bots, 'botName')).toEqual(sums((row) => row.bot))
    for (const { botName, paths, firstSeen, lastSeen } of bots) {
      const own = rows.filter(({ bot, path }) => bot === botName && path !== undefined)
      expect(paths).toBe(new Set(own.map(pageOf)).size)
      const firstMs = Math.min(...own.map(({ startMs }) => startMs))
      const lastSecondMs = Math.max(...own.map((row) => row.startMs + (row.count - 1) * 1000))
      expect(Date.parse(String(firstSeen))).toBe(firstMs + moveMs)
      expect(Date.parse(String(lastSeen))).toBe(lastSecondMs + moveMs)
    }
  })

  test('stand in the log, one by one', async () => {
    const robots = rows.filter(({ path }) => path === '/robots.txt')
    const { logs, pagination } = (await rest('logs?days=365&path=/robots.txt&limit=100')) as {
      logs: Body[]
      pagination: Body
    }
    expect(pagination.totalCount).toBe(2723)
    const times = robots.flatMap(({ startMs, count }) =>
      Array.from({ length: count }, (_, i) => startMs + moveMs + i * 1000),
    )
    const newest = times.sort((a, b) => b - a).slice(0, 100)
    expect(logs.map(({ timestamp }) => Date.parse(String(timestamp)))).toEqual(newest)
  })
})
