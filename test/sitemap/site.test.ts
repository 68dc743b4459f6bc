import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { refreshSitemap } from '../../resolvers/sitemap/refresh.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { isSoak, sized } from '../kit/soak.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Refreshes of a site that a server of the test serves as shop.test. */

type Body = string | Buffer | (() => AsyncIterable<string>)
const files = new Map<string, Body>()
const agents = new Set<string>()
const server = createServer(async (request, response) => {
  agents.add(request.headers['user-agent'] ?? '')
  const body = files.get(request.url ?? '')
  response.statusCode = body === undefined ? 404 : 200
  if (typeof body !== 'function') return void response.end(body)
  for await (const part of body()) {
    if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
afterAll(() => void server.close())

const api = useApi({ ALLOW_PRIVATE_HOSTS: `shop.test:80=127.0.0.1:${port}` }, undefined, {
  ownDatabase: true,
})
let workspace: TestWorkspace
let worker: TestWorker
let project = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ domain: 'shop.test' })
  worker = await startTestWorker(api)
})
beforeEach(() => files.clear())

const base = 'http://shop.test'
const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`
const urlset = (...urls: string[]) => `<urlset>${urls.join('')}</urlset>`
const index = (...names: string[]) =>
  `<sitemapindex>${names.map((name) => `<sitemap><loc>${base}/${name}</loc></sitemap>`).join('')}</sitemapindex>`

/** Refreshes the sitemap. @returns its state, and its URLs as the site spells them */
async function refresh() {
  await refreshSitemap({ db: api.db, privateHosts: [] }, commandLine, project)
  await worker.idle()
  const { sitemapStatus, sitemapError } = await api.db.project.findUniqueOrThrow({
    where: { id: project },
  })
  const rows = await api.db.sitemapUrl.findMany({ orderBy: { url: 'asc' } })
  return { state: sitemapStatus, error: sitemapError, urls: rows.map(({ address }) => address) }
}

describe('a refresh reads', () => {
  test('the sitemaps that robots.txt names, packed or not, and keeps own URLs once', async () => {
    files.set('/robots.txt', `Sitemap: ${base}/index.xml\nUser-agent: *\nDisallow: /private\n`)
    files.set('/index.xml', index('one.xml', 'two.xml.gz'))
    const a = url(`${base}/a/?b=1&amp;utm_source=x#top`, '<lastmod>2025-05-10</lastmod>')
    const foreign = url('https://example.org/c')
    const one = urlset(a, url(`<![CDATA[${base}/b?x=1&y=2]]>`), foreign)
    files.set('/one.xml', one.replaceAll('urlset', 's:urlset').replace('>', ' xmlns:s="x">'))
    files.set('/two.xml.gz', gzipSync(urlset(url(`${base}/a?b=1`), url(`${base}/é`))))
    expect(await refresh()).toEqual({
      state: 'idle',
      error: null,
      urls: [`${base}/%C3%A9`, `${base}/a/?b=1&utm_source=x`, `${base}/b?x=1&y=2`],
    })
    const pages = await api.db.page.findMany({ where: { projectId: project } })
    expect(pages).toHaveLength(3)
    expect([...agents]).toEqual([expect.stringContaining('SightlineBot/')])
  })

  test('a text of one URL a line at the usual place', async () => {
    files.set('/sitemap.xml', `${base}/one\n${base}/two\r\n\n`)
    expect(await refresh()).toMatchObject({ state: 'idle', urls: [`${base}/one`, `${base}/two`] })
  })

  test('the sitemaps of robots.txt that can be read, and names the one that cannot', async () => {
    const names = ['lost.xml', 'good.xml', 'page.html']
    files.set('/robots.txt', names.map((name) => `Sitemap: ${base}/${name}\n`).join(''))
    files.set('/good.xml', urlset(url(`${base}/good`)))
    files.set('/page.html', '<html></html>')
    expect(await refresh()).toEqual({
      state: 'idle',
      error: `${base}/lost.xml answers 404, and 1 more cannot be read`,
      urls: [`${base}/good`],
    })
    files.set('/lost.xml', urlset(url(`${base}/found`)))
    files.delete('/page.html')
    files.set('/robots.txt', `Sitemap: ${base}/lost.xml\n`)
    expect(await refresh()).toEqual({ state: 'idle', error: null, urls: [`${base}/found`] })
  })

  const many = sized({ normal: 3_000, soak: 50_000 })

  test(`${many} URLs in the memory of some batches`, async () => {
    files.set('/sitemap.xml', async function* () {
      yield '<urlset>'
      for (let i = 0; i < many; i++) yield url(`${base}/${i}`)
      yield '</urlset>'
    })
    const before = process.memoryUsage().heapUsed
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }, 20)
    expect((await refresh()).urls).toHaveLength(many)
    clearInterval(watch)
    expect(most).toBeLessThan(200 * 1024 * 1024)
  })
})

describe('a refresh fails, and the old sitemap stays whole, for', () => {
  const whole = urlset(url(`${base}/new-1`), url(`${base}/new-2`))
  type Case = [string, Record<string, Body>, RegExp]
  const bomb = (): Case => {
    const unpacked = `<urlset>${`<!--${'x'.repeat(1000)}-->`.repeat(60_000)}</urlset>`
    return ['a bomb', { '/sitemap.xml': gzipSync(unpacked) }, /sitemap\.xml is longer than 50 MiB/]
  }
  const cases: Case[] = [
    [
      'a sitemap that is cut',
      { '/sitemap.xml': whole.slice(0, -9) },
      /sitemap\.xml is not whole XML/,
    ],
    [
      'a packed sitemap that is cut',
      { '/sitemap.xml': gzipSync(whole).subarray(0, 40) },
      /sitemap\.xml cannot be unpacked/,
    ],
    // A bomb is packed for seconds.
    ...(isSoak ? [bomb()] : []),
    [
      'an index in an index',
      { '/sitemap.xml': index('a.xml'), '/a.xml': index('b.xml') },
      /a\.xml is an index within an index/,
    ],
    [
      'an index with a sitemap that is missing',
      { '/sitemap.xml': index('a.xml', 'lost.xml'), '/a.xml': whole },
      /lost\.xml answers 404/,
    ],
    ['a site without a sitemap', {}, /has no sitemap/],
    ['a page', { '/sitemap.xml': '<html></html>' }, /is neither a sitemap nor a sitemap index/],
    ['URLs of others', { '/sitemap.xml': urlset(url('https://example.org/')) }, /has no URL/],
    [
      'a sitemap that robots.txt forbids',
      { '/robots.txt': 'User-agent: *\nDisallow: /\n', '/sitemap.xml': whole },
      /robots\.txt|has no sitemap/,
    ],
  ]

  beforeAll(async () => {
    files.set('/sitemap.xml', urlset(url(`${base}/old`)))
    await refresh()
  })

  test.each(cases)('%s', async (_name, served, error) => {
    for (const [path, body] of Object.entries(served)) files.set(path, body)
    expect(await refresh()).toEqual({
      state: 'failed',
      error: expect.stringMatching(error),
      urls: [`${base}/old`],
    })
  })
})
