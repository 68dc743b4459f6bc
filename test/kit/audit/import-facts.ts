import { importPageContents } from '../../../imports/content/page-contents.ts'
import type { AnswerLine, TestApi, TestWorkspace } from '../api.ts'
import { dayMs } from '../day.ts'
import { putHits, type TestHit } from '../tracker/hits.ts'
import { cases, site } from './cases.ts'
import { words } from './facts.ts'
import { type AuditSite, auditedAddresses, caseAt, sitemapAddresses } from './site.ts'

const urlOf = (address: string) => address.replace(/^http:/, 'https:')

/** Adds the pages of the planted site to the catalog, and gives their ids by address. */
export async function addPlantedPages(
  { db }: TestApi,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const address of auditedAddresses) {
    const { pathname, origin } = new URL(address)
    const url = new URL(urlOf(address)).pathname === '/' ? urlOf(`${origin}/`) : urlOf(address)
    const row = { projectId, url, address, slug: pathname, type: 'other' }
    const { id } = await db.page.create({ data: { ...row, title: '', description: '' } })
    ids.set(address, id)
  }
  return ids
}

/** Makes the URLs of the sitemap those that the site lists now. */
export async function refreshPlantedSitemap(
  { db }: TestApi,
  projectId: string,
  state: AuditSite,
): Promise<void> {
  const lastModified = state.mended.has('all') ? new Date('2026-06-01') : null
  await db.sitemapUrl.deleteMany({ where: { projectId } })
  await db.sitemapUrl.createMany({
    data: sitemapAddresses(state).map((address) => {
      const { host, pathname } = new URL(address)
      return { projectId, url: urlOf(address), address, host, path: pathname, lastModified }
    }),
  })
}

/** Imports the text of each page that has one, of as many words; the newest text of a page counts. */
export async function importTexts(api: TestApi, projectId: string, at: Date, most = 1000) {
  const lines = cases.flatMap(({ path, importedWords }) => {
    if (importedWords === undefined) return []
    const content = words(Math.min(importedWords, most))
    return [JSON.stringify({ url: urlOf(site + path), content, fetchedAt: at.toISOString() })]
  })
  async function* bytes() {
    yield Buffer.from(lines.join('\n'))
  }
  await importPageContents(api, { projectId, bytes: bytes() })
}

function hitsAt(at: Date): TestHit[] {
  const hit = (address: string, bot: string, status: number, n: number, tookMs?: number) => {
    const { host, pathname: path } = new URL(address)
    const time = (i: number) => new Date(at.getTime() + i * 1000).toISOString()
    return Array.from({ length: n }, (_, i) => {
      return { bot, host, path, status, at: time(i), ...(tookMs === undefined ? {} : { tookMs }) }
    })
  }
  const ofPages = auditedAddresses.flatMap((address) => {
    const rows = caseAt(address)?.hits ?? [['GPTBot', 200, 1] as const]
    // The last row is the newest.
    return rows.flatMap(([bot, status, n, tookMs], row) =>
      hit(address, bot, status, n, tookMs).map((each) => ({
        ...each,
        at: new Date(Date.parse(each.at) + row * 3_600_000).toISOString(),
      })),
    )
  })
  const oldest = new Date(at.getTime() - 60 * dayMs).toISOString()
  return [
    ...ofPages,
    ...hit(`${site}/gone`, 'GPTBot', 404, 3),
    ...hit(`${site}/fails`, 'GPTBot', 500, 25),
    { bot: 'GPTBot', host: 'shop.test', path: '/', at: oldest },
  ]
}

/** Claude answers 20 times, Perplexity 40 times; six of these cite a competitor on a topic of a page. */
function answersAt(at: Date): AnswerLine[] {
  const lineOf = (platform: string, urls: readonly string[], i: number, more = {}) => ({
    prompt: `Question ${i}`,
    platform,
    collectedAt: new Date(at.getTime() + i * 60_000).toISOString(),
    citations: urls.map((url, position) => ({ position: position + 1, url })),
    ...more,
  })
  const citedBy = (platform: string, i: number) => [
    ...cases.flatMap(({ path, cited }) => ((cited?.[platform] ?? 0) > i ? [site + path] : [])),
    ...(platform === 'claude' && i < 2 ? [`${site}/gone`] : []),
  ]
  const count = (n: number) => Array.from({ length: n }, (_, i) => i)
  const trail = { prompt: 'Shoes for trails', topic: 'Trail running' }
  return [
    ...count(20).map((i) => lineOf('claude', citedBy('claude', i), i)),
    ...count(34).map((i) => lineOf('perplexity', citedBy('perplexity', i), i)),
    ...count(6).map((i) => lineOf('perplexity', ['https://rival.test/a'], 100 + i, trail)),
  ]
}

/** Imports the facts of the planted site: answers, requests of crawlers and texts, on the day of `at`. */
export async function importPlantedFacts(
  api: TestApi,
  workspace: TestWorkspace,
  projectId: string,
  at: Date,
): Promise<void> {
  await workspace.load(projectId, answersAt(at))
  await putHits(api.warehouse, projectId, hitsAt(at))
  await importTexts(api, projectId, at)
}
