import { expect, test } from 'vitest'
import { createHostTurns } from '../../site/net/host-turns.ts'
import type { SiteOptions } from '../../site/site.ts'
import { SitemapFault } from '../../site/sitemap/fault.ts'
import { useApi } from '../kit/api.ts'
import { type Handler, sendHtml, useTestSites } from './server.ts'

const api = useApi()
const { start, open, shop } = useTestSites()

const page: Handler = (_, response) => sendHtml(response)
const text =
  (body: string, status = 200): Handler =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body)

test('what robots.txt forbids is not requested, also as the target of a redirect', async () => {
  const { outcome, paths } = await shop({
    '/robots.txt': text('User-agent: *\nDisallow: /no\n'),
    '/to-no': (_, response) => response.writeHead(302, { Location: '/no' }).end(),
  })
  const blocked = { kind: 'robots_blocked', robots: 'http://shop.test/robots.txt', line: 2 }
  expect(await outcome('/no/page')).toMatchObject(blocked)
  expect(await outcome('/to-no')).toMatchObject({ ...blocked, address: 'http://shop.test/no' })
  expect(paths()).toEqual(['/robots.txt', '/to-no'])
})

test('a page that robots.txt closes to SightlineBot alone is skipped', async () => {
  const { outcome } = await shop({
    '/robots.txt': text(
      'User-agent: SightlineBot\nDisallow: /a\nDisallow: /b\n\nUser-agent: *\nDisallow: /b',
    ),
  })
  expect(await outcome('/a')).toMatchObject({ kind: 'skipped', reason: 'robots' })
  expect(await outcome('/b')).toMatchObject({ kind: 'robots_blocked', line: 6 })
})

test.each([
  ['404', text('', 404), 'absent', 'read'],
  ['403', text('', 403), 'absent', 'read'],
  ['HTML', text('<!doctype html><p>Hello: you</p>'), 'read', 'read'],
  ['500', text('', 500), 'unreachable', 'robots_unreachable'],
  ['429', text('', 429), 'unreachable', 'robots_unreachable'],
  ['silence', () => {}, 'unreachable', 'robots_unreachable'],
])('robots.txt that answers %s', async (_, handler, state, kind) => {
  const { site, outcome } = await shop(
    { '/robots.txt': handler, '/': page },
    { limits: { headersMs: 100, retryMs: [1, 1] } },
  )
  expect(await outcome('/')).toMatchObject({ kind })
  expect((await site.robots('http://shop.test')).reading.state).toBe(state)
})

test('requests to one host start apart, one at a time, and a crawl delay wins up to its limit', async () => {
  const limits = { crawlDelayMs: 60, retryMs: [] }
  const handlers = { '/a': page, '/b': page, '/c': page }
  const robots = text('User-agent: sightlinebot\nCrawl-delay: 60')
  const quick = await shop(handlers, { delayOf: () => 30, limits })
  const slow = await shop({ ...handlers, '/robots.txt': robots }, { delayOf: () => 30, limits })
  for (const { outcome, server, leastMs } of [
    { ...quick, leastMs: 30 },
    { ...slow, leastMs: 60 },
  ]) {
    const began = performance.now()
    await Promise.all(['/a', '/b', '/c'].map(outcome))
    // robots.txt and three pages have three pauses between their starts.
    expect(performance.now() - began).toBeGreaterThanOrEqual(leastMs * 3)
    expect(server.asked.every(({ running }) => running === 1)).toBe(true)
  }
})

test('the next part of an audit reads robots.txt no more, and keeps the pause', async () => {
  const { site, server, outcome } = await shop({ '/a': page })
  await outcome('/a')
  const robots = JSON.parse(JSON.stringify(await site.robotsReadings())) as SiteOptions['robots']
  const next = open(server, { robots: robots ?? null })
  await next.read('http://shop.test/a')
  expect(server.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/a', '/a'])
})

test('audits of one process that meet a host ask it as one', async () => {
  const server = await start({ '/a': page, '/b': page })
  const options = { delayOf: () => 30, hostTurns: createHostTurns() }
  const began = performance.now()
  const sites = [open(server, options), open(server, options)]
  const read = sites.flatMap((site) =>
    ['/a', '/b'].map((path) => site.read(`http://shop.test${path}`)),
  )
  await Promise.all(read)
  // Each audit asks robots.txt and two pages: six starts, five pauses.
  expect(performance.now() - began).toBeGreaterThanOrEqual(150)
  expect(server.asked).toHaveLength(6)
  expect(server.asked.every(({ running }) => running === 1)).toBe(true)
})

test('the limit of the whole time counts for an address with its redirects', async () => {
  const slow = (to: string): Handler => {
    return (_, response) => setTimeout(() => response.writeHead(302, { Location: to }).end(), 100)
  }
  const { outcome } = await shop(
    { '/1': slow('/2'), '/2': slow('/3'), '/3': slow('/4'), '/4': slow('/5'), '/5': page },
    { limits: { totalMs: 350, retryMs: [] } },
  )
  expect(await outcome('/1')).toMatchObject({ kind: 'unreachable', cause: 'timeout' })
})

test('a target that answers 5xx is asked by HEAD again, and not by GET', async () => {
  const { site, server } = await shop({ '/busy': text('', 503), '/odd': text('', 501) })
  const ask = async (path: string) => (await site.target(`http://shop.test${path}`)).outcome
  expect(await ask('/busy')).toMatchObject({ kind: 'answered', status: 503 })
  expect(await ask('/odd')).toMatchObject({ kind: 'answered', status: 501 })
  expect(server.asked.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'HEAD /busy',
    'HEAD /busy',
    'HEAD /busy',
    'HEAD /odd',
    'GET /odd',
  ])
})

test('a target is asked by HEAD, and by GET where HEAD is refused', async () => {
  const { site, server } = await shop({
    '/head': page,
    '/get': (request, response) =>
      request.method === 'HEAD' ? response.writeHead(405).end() : sendHtml(response),
    '/moved': (_, response) => response.writeHead(301, { Location: '/head' }).end(),
  })
  const ask = async (path: string) => (await site.target(`http://shop.test${path}`)).outcome
  expect(await ask('/head')).toMatchObject({ kind: 'answered', status: 200 })
  expect(await ask('/get')).toMatchObject({ kind: 'answered', status: 200 })
  expect(await ask('/moved')).toMatchObject({ status: 200, url: 'https://shop.test/head' })
  expect(await ask('/gone')).toMatchObject({ kind: 'answered', status: 404 })
  expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /robots.txt',
    'HEAD /head',
    'HEAD /get',
    'GET /get',
    'HEAD /moved',
    'HEAD /head',
    'HEAD /gone',
    'GET /gone',
  ])
})

test('a page of which only the URL is known is read over http where https has no server', async () => {
  const { site } = await shop({ '/a': page })
  const { reading } = await site.read('https://shop.test/a', false)
  expect(reading).toMatchObject({ address: 'http://shop.test/a', outcome: { kind: 'read' } })
  expect(await site.origin('shop.test')).toBe('http://shop.test')
})

test('pages are skipped once the budget is used up', async () => {
  const { outcome, server } = await shop({}, { deadline: new Date(0) })
  expect(await outcome('/a')).toMatchObject({ kind: 'skipped', reason: 'budget' })
  expect(server.asked).toEqual([])
})

test('the sitemap of a site is found, streamed, and whole or refused', async () => {
  const listed = (...urls: readonly string[]) =>
    `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
  const { site, server } = await shop({
    '/sitemap_index.xml': text(
      '<sitemapindex><sitemap><loc>http://shop.test/one.xml</loc></sitemap></sitemapindex>',
    ),
    '/one.xml': text(listed('http://shop.test/a/', 'https://other.test/x', 'http://shop.test/b')),
  })
  const addresses: string[] = []
  const refuse = (fault: SitemapFault) => {
    throw fault
  }
  for await (const { address } of site.sitemap('shop.test', refuse)) addresses.push(address)
  expect(addresses).toEqual(['http://shop.test/a/', 'http://shop.test/b'])
  expect(await site.sitemapFiles('http://shop.test')).toEqual([
    { address: 'http://shop.test/sitemap.xml', status: 404, isNamed: false },
    { address: 'http://shop.test/sitemap_index.xml', status: 200, isNamed: false },
  ])
  const lost = await shop({
    '/robots.txt': text('Sitemap: http://shop.test/lost.xml'),
  })
  await expect(lost.site.sitemap('shop.test', () => undefined).next()).rejects.toThrow(
    new SitemapFault('http://shop.test/lost.xml', 'answers 404'),
  )
  expect(server.asked.every(({ running }) => running === 1)).toBe(true)
})

test('llms.txt and the probe of a missing page are read', async () => {
  const { site, paths } = await shop({ '/llms.txt': text('# Shop') })
  expect(await site.llms('http://shop.test')).toMatchObject({
    outcome: { kind: 'answered', status: 200, text: '# Shop' },
  })
  const { reading } = await site.probe('http://shop.test')
  expect(reading.outcome).toMatchObject({ kind: 'answered', answer: { status: 404 } })
  expect(paths().at(-1)).toMatch(/^\/sightline-probe-[0-9a-f]{16}$/)
})

test('the page about the crawler says how to keep it out', async () => {
  const response = await fetch(`${api.url}/bot`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await response.text()).toContain('User-agent: SightlineBot\nDisallow: /')
})
