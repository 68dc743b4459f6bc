import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  CitedDocument,
  CitedDomainDocument,
  NamedBrandDocument,
  NamedDocument,
  type TypedDocumentString,
} from '../../dashboard/documents.ts'
import { count, shown } from '../../web/share/numbers.ts'
import { useApi } from '../kit/api.ts'
import { makeTestDemo } from '../kit/demo.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf, expectSound } from '../kit/web/dashboard-page.ts'

const api = useApi()
const browser = useBrowser()
const days = 'from=2025-06-01&to=2025-06-30'
const window = { from: '2025-06-01', to: '2025-06-30' }
const demo = randomUUID()
let key = ''
let empty = ''
/** Three answers: one names both brands, one Bolt, one nobody. */
let small = ''
let smallKey = ''

beforeAll(async () => {
  await ensureDashboard()
  key = (await makeTestDemo(api, { projectId: demo, endDay: '2025-06-30' })).key
  const workspace = await api.workspace('growth')
  empty = await workspace.project()
  small = await workspace.project({ competitors: [{ name: 'Bolt', domain: 'bolt.io' }] })
  smallKey = (await workspace.key({ scopes: ['read', 'write', 'admin'] })).key
  const cites = (text: string, ...domains: string[]) => ({
    ...{ collectedAt: '2025-06-10T08:00:00Z', prompt: `about ${domains}`, text },
    citations: domains.map((domain) => ({ url: `https://${domain}/a` })),
  })
  await workspace.load(small, [
    cites('Acme and Bolt are good.', 'both.example'),
    cites('Bolt is good.', 'both.example', 'gap.example', 'acme.com'),
    cites('Nothing.', 'nobody.example'),
  ])
}, 300_000)

/** The answer of the graph to a question of the dashboard, about the demonstration. */
async function asked<R, V>(document: TypedDocumentString<R, V>, variables = {}): Promise<R> {
  const all = { project: demo, window, ...variables }
  const answer = await api.graphql(document.toString(), key, all)
  const { data, errors } = await answer.json()
  expect(errors).toBeUndefined()
  return data
}

const open = (page: string) =>
  browser.open(`${api.url}/projects/${demo}/${page}?${days}#key=${key}`)
const openSmall = (page: string, project = small) =>
  browser.open(`${api.url}/projects/${project}/${page}?${days}#key=${smallKey}`)

const percent = (value: number | null | undefined) => shown(value ?? null, 'percent')

describe.skipIf(lacksChromium)('what is cited', () => {
  test('shows domains, pages and kinds with the numbers of the graph', async () => {
    const tab = await open('cited')
    const domains = await cellsOf(tab.page, 'Most cited domains')
    const pages = await cellsOf(tab.page, 'Most cited pages')
    const kinds = await cellsOf(tab.page, 'Kinds of cited pages')
    const { project } = await asked(CitedDocument)
    expect(domains.map(([domain, , usage, , ...counts]) => [domain, usage, ...counts])).toEqual(
      project?.sourceDomains?.nodes.map((each) => [
        each.domain,
        percent(each.metrics.usage.value),
        count(each.totalCitations),
        count(each.pageCount),
        count(
          each.brands?.nodes.find(({ brand }) => brand?.isOwn)?.visibility.responsesWithMention ??
            0,
        ),
      ]),
    )
    expect(
      pages.map(([name, domain, , usage, , answers]) => [name, domain, usage, answers]),
    ).toEqual(
      project?.sourceUrls?.nodes.map(({ title, url, domain, metrics, responsesWithUrl }) => [
        title || url,
        domain,
        percent(metrics.usage.value),
        count(responsesWithUrl),
      ]),
    )
    expect(kinds.map(([, usage, , ...counts]) => [usage, ...counts])).toEqual(
      project?.contentTypes?.map(({ metrics, totalUsed, promptsCount }) => [
        percent(metrics.citationRate.value),
        ...[totalUsed, promptsCount].map(count),
      ]),
    )
    expect(domains.length + pages.length + kinds.length).toBeGreaterThan(100)
    await expectSound(tab, 'cited')
  })

  test('a domain leads down to the answers that cite it', async () => {
    const tab = await open('cited/rtings.com')
    await tab.page.getByRole('heading', { level: 2, name: 'rtings.com' }).waitFor()
    const { project } = await asked(CitedDomainDocument, { domain: 'rtings.com' })
    const all = project?.sourceDomain?.answers?.totalCount ?? 0
    expect(all).toBeGreaterThan(100)
    await tab.page.getByText(`${count(all)} answers in this window`).waitFor()
    for (const article of await tab.page.locator('article').all()) {
      expect(await article.locator('ol a[href*="rtings.com"]').count()).toBeGreaterThan(0)
    }
    await expectSound(tab, 'cited-domain')
  })

  test('a gap is a domain whose answers name competitors and never us', async () => {
    const tab = await openSmall('cited')
    // Of four domains one is cited beside Bolt alone, one beside nobody, and one is our own.
    expect((await cellsOf(tab.page, 'Most cited domains')).length).toBe(4)
    const gaps = await cellsOf(tab.page, 'Cited for competitors, not for us')
    expect(gaps.map(([domain, , names]) => [domain, names])).toEqual([['gap.example', 'Bolt']])
    const nothing = await openSmall('cited', empty)
    await nothing.page.getByText('This project has no answers yet.').waitFor()
    await expectSound(nothing, 'cited-empty')
  })
})

describe.skipIf(lacksChromium)('who else is named', () => {
  test('shows each tracked brand with the numbers of the graph', async () => {
    const tab = await open('named')
    const cells = await cellsOf(tab.page, 'Tracked brands')
    const { project } = await asked(NamedDocument)
    const brands = project?.brands?.nodes ?? []
    const voices = project?.shareOfVoice
    expect(brands.length).toBe(5)
    for (const { brand, visibility, sentiment } of brands) {
      const row = cells.find(([name]) => name === brand?.name) ?? []
      const voice = brand?.isOwn
        ? voices?.brand
        : voices?.nodes.find(({ competitorId }) => competitorId === brand?.id)
      expect(row[1]).toBe(percent(voice?.metrics.sov.value))
      expect(row.slice(4)).toEqual([
        percent(visibility.metrics.visibilityScore.value),
        shown(visibility.metrics.averagePosition.value, 'position'),
        shown(sentiment.metrics.score.value, 'score'),
        count(visibility.responsesWithMention),
        brand?.leadingTopics?.nodes.map(({ name }) => name).join(', '),
      ])
    }
    const byDay = await cellsOf(tab.page, 'Answers that name each brand, by day')
    expect(byDay.length).toBe(30)
    const last = brands.map(({ visibility }) =>
      percent(visibility.trend.at(-1)?.metrics.visibilityScore.value),
    )
    expect(byDay[0]?.slice(1).toSorted()).toEqual(last.toSorted())
    await expectSound(tab, 'named')
  })

  test('one brand has its answers beside ours, as many as the graph counts', async () => {
    const brands = (await asked(NamedDocument)).project?.brands?.nodes ?? []
    const other = brands.find(({ brand }) => !brand?.isOwn)?.brand
    if (!other) throw new Error('The demonstration has competitors.')
    const both = { mentioned: true }
    const { project } = await asked(NamedBrandDocument, { brand: other.id, both })
    const { answers, visibility } = project?.competitor ?? {}
    const tab = await open(`named/${other.id}`)
    const { page } = tab
    await page.getByRole('heading', { level: 2, name: other.name, exact: true }).waitFor()
    await page.getByText(`${count(answers?.totalCount ?? 0)} answers in this window`).waitFor()
    const heading = page.getByRole('heading', { name: 'Visibility', exact: true })
    const tile = page.getByRole('listitem').filter({ has: heading })
    expect(await tile.textContent()).toContain(percent(visibility?.metrics.visibilityScore.value))
    const marked = await page
      .locator('article')
      .evaluateAll((articles) => articles.map((each) => each.querySelectorAll('li.own').length))
    expect(marked).toEqual(Array(10).fill(1))
    await expectSound(tab, 'named-brand')
  })

  test('an empty project says that it has no answers', async () => {
    const tab = await openSmall('named', empty)
    await tab.page.getByText('This project has no answers yet.').waitFor()
    await expectSound(tab, 'named-empty')
  })
})
