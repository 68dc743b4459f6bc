import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../../imports/content/pages.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { refreshSitemap } from '../../resolvers/sitemap/refresh.ts'
import { SitemapFault } from '../../site/sitemap/fault.ts'
import type { SitemapEntry } from '../../site/sitemap/sitemap.ts'
import type { JobHandler } from '../../worker/job.ts'
import { sitemapHandler } from '../../worker/sitemap.ts'
import { unfinishedSitemaps } from '../../worker/unfinished.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { until } from '../kit/service.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Refreshes by a worker, whose sites are in the memory of the test. */

const api = useApi({}, undefined, { ownDatabase: true })

type Site = (signal: AbortSignal) => AsyncIterable<SitemapEntry>
const sites = new Map<string, Site>()
const asked: string[] = []

let workspace: TestWorkspace
let worker: TestWorker

const steps = sitemapHandler(({ domain }, { signal }) => {
  asked.push(domain)
  const site = sites.get(domain)
  if (!site) throw new SitemapFault(`https://${domain}/sitemap.xml`, 'answers 404')
  return site(signal)
})

const handler: JobHandler<{ projectId: string }> = { ...steps, unfinished: unfinishedSitemaps }

beforeAll(async () => {
  workspace = await api.workspace()
  worker = await startTestWorker(api, { sitemap: handler })
})

async function* entries(...addresses: string[]): AsyncGenerator<SitemapEntry> {
  for (const address of addresses) yield { address, lastModified: null }
}
let sitesMade = 0
async function projectOf(site?: Site): Promise<string> {
  const domain = `site-${sitesMade++}.com`
  if (site) sites.set(domain, site)
  return workspace.project({ domain })
}
const request = (of: string) => refreshSitemap({ db: api.db, privateHosts: [] }, commandLine, of)
const stateOf = async (of: string) => {
  const { sitemapStatus, sitemapJobId, sitemapRefreshedAt, sitemapError } =
    await api.db.project.findUniqueOrThrow({ where: { id: of } })
  return [sitemapStatus, sitemapJobId, sitemapRefreshedAt, sitemapError]
}
const addressesOf = async (of: string) =>
  (await api.db.sitemapUrl.findMany({ where: { projectId: of }, orderBy: { url: 'asc' } })).map(
    ({ address }) => address,
  )
async function importByHand(of: string, ...addresses: string[]): Promise<void> {
  const urls = addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')
  const bytes = (async function* () {
    yield Buffer.from(`<urlset>${urls}</urlset>`)
  })()
  await importPages(api, { projectId: of, name: 'sitemap.xml', bytes })
}

/** A site whose sitemap ends when the function is called. */
function slowSite(...addresses: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isRead = false
  const site: Site = async function* () {
    yield* entries(...addresses)
    isRead = true
    await promise
  }
  return { site, finish: resolve, begun: () => until(() => isRead) }
}

describe('a refresh', () => {
  test('replaces the URLs, adds pages, and is idle again', async () => {
    const of = await projectOf(() => entries('http://site-0.com/a/', 'https://site-0.com/a'))
    await importByHand(of, 'https://site-0.com/old')
    const { id } = await request(of)
    await worker.idle()
    expect(await stateOf(of)).toEqual(['idle', id, expect.any(Date), null])
    expect(await addressesOf(of)).toEqual(['http://site-0.com/a/'])
    const pages = await api.db.page.findMany({ where: { projectId: of }, orderBy: { url: 'asc' } })
    expect(pages.map(({ address }) => address)).toEqual([
      'http://site-0.com/a/',
      'https://site-0.com/old',
    ])
  })

  test('that cannot read the sitemap changes nothing, and says why', async () => {
    const of = await projectOf(async function* () {
      yield* entries('https://acme.com/new')
      throw new SitemapFault('https://acme.com/sitemap.xml', 'is not whole XML: 1:7')
    })
    await importByHand(of, 'https://acme.com/old')
    const [, , refreshedAt] = await stateOf(of)
    const { id } = await request(of)
    await worker.idle()
    const error = 'https://acme.com/sitemap.xml is not whole XML: 1:7'
    expect(await stateOf(of)).toEqual(['failed', id, refreshedAt, error])
    expect(await addressesOf(of)).toEqual(['https://acme.com/old'])
    sites.clear()
    await request(of)
    await worker.idle()
    expect((await stateOf(of)).at(-1)).toMatch(
      /^https:\/\/site-\d+\.com\/sitemap\.xml answers 404$/,
    )
  })

  test('without a URL fails', async () => {
    const of = await projectOf(() => entries('', 'nonsense'))
    await request(of)
    await worker.idle()
    expect(await stateOf(of)).toMatchObject(['failed', {}, null, /has no URL/])
  })

  test('is running while the sitemap is read', async () => {
    const { site, finish, begun } = slowSite('https://acme.com/a')
    const of = await projectOf(site)
    const { id } = await request(of)
    await begun()
    expect(await stateOf(of)).toEqual(['running', id, null, null])
    await expect(request(of)).rejects.toMatchObject({ code: 'rate_limited' })
    finish()
    await worker.idle()
    expect(await stateOf(of)).toMatchObject(['idle', id, {}, null])
  })

  test('loses against an import by hand, and the next refresh begins at once', async () => {
    const { site, finish, begun } = slowSite('https://acme.com/late')
    const of = await projectOf(site)
    await request(of)
    await begun()
    await importByHand(of, 'https://acme.com/by-hand')
    expect(await stateOf(of)).toMatchObject(['idle', null, {}, null])
    finish()
    await worker.idle()
    expect(await stateOf(of)).toMatchObject(['idle', null, {}, null])
    expect(await addressesOf(of)).toEqual(['https://acme.com/by-hand'])
  })

  test('that an import and another request overtake leaves the last word to that request', async () => {
    const { site, finish, begun } = slowSite('https://acme.com/late')
    const of = await projectOf(site)
    await request(of)
    await begun()
    await importByHand(of, 'https://acme.com/by-hand')
    const { id } = await request(of)
    finish()
    await worker.idle()
    expect(await stateOf(of)).toMatchObject(['idle', id, {}, null])
    expect(await addressesOf(of)).toEqual(['https://acme.com/late'])
  })

  test('of a project that is deleted meanwhile ends', async () => {
    const { site, finish, begun } = slowSite('https://acme.com/a')
    const of = await projectOf(site)
    await request(of)
    await begun()
    await api.db.project.delete({ where: { id: of } })
    finish()
    await worker.idle()
    expect(await api.db.sitemapUrl.count({ where: { projectId: of } })).toBe(0)
  })

  test('whose job is lost runs by the sweep', async () => {
    const of = await projectOf(() => entries('https://acme.com/a'))
    const { id } = await request(of)
    await worker.idle()
    await api.db.project.update({ where: { id: of }, data: { sitemapStatus: 'running' } })
    await worker.sweep()
    await worker.idle()
    expect(await stateOf(of)).toMatchObject(['idle', id, {}, null])
    expect(asked.length).toBeGreaterThan(1)
  })
})

test('a refresh whose job failed for good is failed by our fault', async () => {
  const of = await projectOf()
  const { id } = await request(of)
  await worker.idle()
  await api.db.project.update({ where: { id: of }, data: { sitemapStatus: 'running' } })
  await handler.fail({ projectId: of }, api)
  expect(await stateOf(of)).toEqual(['failed', id, null, 'internal'])
})
