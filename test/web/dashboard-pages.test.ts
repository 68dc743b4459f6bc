import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CitedDocument,
  CitedDomainDocument,
  NamedBrandDocument,
  NamedDocument,
  NamedOverTimeDocument,
  ReadDocument,
  ReadPageDocument,
  ReportsDocument,
  WorkDocument,
} from '../../dashboard/documents.ts'
import { count, shown } from '../../web/share/numbers.ts'
import { makeReport } from '../../work/report.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { cellsOf, expectSound } from './dashboard-page.ts'
import { percent, useDemoPages } from './demo-pages.ts'

const api = useApi()
const browser = useBrowser()
const { demo, days, window, keys, open, asked } = useDemoPages(api, browser)
/** A text that is no text where it is not escaped. */
const markup = '<img src=x onerror="document.title=1"><b>'
let empty = ''
/** Three answers: one names both brands, one Bolt, one nobody. */
let small = ''
let smallKey = ''
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace('growth')
  empty = await workspace.project()
  small = await workspace.project({ competitors: [{ name: 'Bolt', domain: 'bolt.io' }] })
  const cites = (text: string, ...domains: string[]) => ({
    collectedAt: '2025-06-10T08:00:00Z',
    prompt: `about ${domains} ${markup}`,
    text: `${text} ${markup}`,
    citations: domains.map((domain) => ({ url: `https://${domain}/a`, title: markup })),
  })
  await workspace.load(small, [
    cites('Acme and Bolt are good.', 'both.example'),
    cites('Bolt is good.', 'both.example', 'gap.example', 'acme.com'),
    cites('Nothing.', 'nobody.example'),
  ])
}, 300_000)

beforeEach(async () => {
  smallKey = (await workspace.key({ scopes: ['read', 'write', 'admin'] })).key
})

const openSmall = (page: string, project = small) =>
  browser.open(`${api.url}/projects/${project}/${page}?${days}#key=${smallKey}`)

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
    expect((await cellsOf(tab.page, 'Most cited pages'))[0]?.[0]).toBe(markup)
    expect(await tab.page.locator('main img, main b').count()).toBe(0)
    const nothing = await openSmall('cited', empty)
    await nothing.page.getByText('This project has no answers yet.').waitFor()
    await expectSound(nothing, 'cited-empty')
  })
})

describe.skipIf(lacksChromium)('who reads us', () => {
  test('shows crawlers, pages and coverage with the numbers of the graph', async () => {
    const tab = await open('read')
    const crawlers = await cellsOf(tab.page, 'Crawlers')
    const paths = await cellsOf(tab.page, 'Pages: crawled, cited, clicked')
    const unread = await cellsOf(tab.page, 'Pages of the sitemap that no crawler visited')
    const byDay = await cellsOf(tab.page, 'Visits of crawlers by day')
    const { project } = await asked(ReadDocument)
    const shownOf = (value: number | null | undefined) => (value == null ? '' : count(value))
    expect(crawlers.map(([name, , , ...rest]) => [name, ...rest.slice(0, 5)])).toEqual(
      project?.crawlers?.nodes.map(({ botName, visits, verification, paths }) => [
        botName,
        count(visits),
        ...[verification?.verified, verification?.claimed, verification?.impostor].map(shownOf),
        count(paths),
      ]),
    )
    expect(paths).toEqual(
      project?.trafficCorrelation?.nodes.map(({ path, crawls, citations, referrals }) => [
        path,
        ...[crawls, citations, referrals].map(shownOf),
      ]),
    )
    expect(unread.map(([url]) => url)).toEqual(
      project?.sitemapCoverage?.nodes.map(({ url }) => url),
    )
    const series = project?.trafficOverview?.crawlers.series ?? []
    expect(byDay.map(([, visits]) => visits)).toEqual(
      series.map(({ total }) => count(total)).toReversed(),
    )
    const statuses = await cellsOf(tab.page, 'What the site answered')
    expect(statuses.map(([status = '', visits]) => [Number.parseInt(status, 10), visits])).toEqual(
      project?.trafficOverview?.crawlers.byStatus.map(({ statusCode, visits }) => [
        statusCode,
        count(visits),
      ]),
    )
    const tiles = await tab.page.locator('.big').allTextContents()
    expect(tiles).toEqual([
      count(project?.trafficOverview?.crawlers.total ?? 0),
      count(project?.trafficOverview?.referrals.total ?? 0),
      percent(project?.sitemapCoverage?.summary.coverageRate),
    ])
    await expectSound(tab, 'read')
  })

  test('a page has its way: crawled, retrieved, cited and clicked', async () => {
    const paths = (await asked(ReadDocument)).project?.trafficCorrelation?.nodes ?? []
    const page = paths.find((each) => each.page)?.page?.id ?? ''
    const { page: found } = (await asked(ReadPageDocument, { page })).project ?? {}
    const tab = await open(`read/${page}`)
    const steps = await cellsOf(tab.page, 'The way of this page')
    const { crawls, citations, referrals, clicks } = found?.metrics ?? {}
    const times = [
      crawls?.total,
      found?.retrieved,
      citations?.total,
      referrals?.total,
      clicks?.clicks,
    ]
    expect(steps.map(([, cell]) => cell)).toEqual(
      times.map((each) => (each == null ? 'not connected' : count(each))),
    )
    expect(crawls?.total).toBeGreaterThan(10)
    await expectSound(tab, 'read-page')
  })

  test('a project without a source says how to connect one', async () => {
    const tab = await openSmall('read', empty)
    await tab.page.getByText('No server of this project sends its requests.').waitFor()
    await expectSound(tab, 'read-empty')
  })
})

describe.skipIf(lacksChromium)('what is wrong, and what is worth doing', () => {
  const states = { issues: { statuses: ['open'] }, opportunities: { statuses: ['active'] } }

  test('shows audits, issues and opportunities, and ignores, dismisses and completes', async () => {
    const before = (await asked(WorkDocument, states)).project
    const tab = await open('work')
    const { page } = tab
    const [audit] = before?.audits?.nodes ?? []
    const [row] = await cellsOf(page, 'Audits')
    expect(row?.slice(2)).toEqual([
      `${audit?.progress.done} of ${audit?.progress.total}`,
      count(audit?.issueCount ?? 0),
      ...[
        audit?.scores?.overall,
        audit?.scores?.technical,
        audit?.scores?.content,
        audit?.scores?.aiReadiness,
      ].map((score) => shown(score ?? null, 'score')),
    ])
    const issues = page.getByRole('region', { name: 'Issues', exact: true })
    const chances = page.getByRole('region', { name: 'Opportunities', exact: true })
    const [issue] = before?.issues?.nodes ?? []
    const [first, second] = before?.opportunities?.nodes ?? []
    if (!issue || !first || !second) throw new Error('The demonstration has work to do.')
    expect(await issues.locator('summary').count()).toBe(before?.issues?.nodes.length)
    expect(await chances.locator('summary').count()).toBe(before?.opportunities?.nodes.length)
    await expectSound(tab, 'work')
    await issues.locator('summary').first().click()
    await issues.getByText(issue.howToFix).first().waitFor()
    await issues
      .getByRole('button', { name: `Ignore: ${issue.title}` })
      .first()
      .click()
    await issues.getByLabel('Reason').fill(`known ${markup}`)
    await page.keyboard.press('Enter')
    await issues.getByLabel('Reason').waitFor({ state: 'detached' })
    await chances.locator('summary').first().click()
    await chances.getByRole('button', { name: `Complete: ${first.title}` }).click()
    await chances
      .getByRole('button', { name: `Complete: ${first.title}` })
      .waitFor({ state: 'detached' })
    await chances.locator('summary').first().click()
    await chances.getByRole('button', { name: `Dismiss: ${second.title}` }).click()
    await chances.getByLabel('Reason').fill('Later.')
    await page.keyboard.press('Enter')
    await chances.getByLabel('Reason').waitFor({ state: 'detached' })
    const after = (
      await asked(WorkDocument, {
        issues: { statuses: ['resolved'] },
        opportunities: { statuses: ['completed', 'dismissed'] },
      })
    ).project
    expect(after?.issues?.nodes.find(({ id }) => id === issue.id)?.ignoredReason).toBe(
      `known ${markup}`,
    )
    const done = new Map(after?.opportunities?.nodes.map((each) => [each.id, each]))
    expect(done.get(first.id)?.status).toBe('completed')
    expect(done.get(second.id)?.dismissedReason).toBe('Later.')
    await page.getByLabel('Which issues').selectOption('Resolved')
    await issues.getByText('Open again').first().waitFor({ state: 'attached' })
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect(tab.faults).toEqual([])
  })

  test('an empty project says that no audit has run', async () => {
    const tab = await openSmall('work', empty)
    await tab.page.getByText('No audit has run.').waitFor()
    await expectSound(tab, 'work-empty')
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
    const byDay = await cellsOf(tab.page, 'Share of voice by day')
    expect(byDay.length).toBe(30)
    const overTime = await asked(NamedOverTimeDocument)
    const last = overTime.project?.brands?.nodes.map(({ visibility }) =>
      percent(visibility.trend.at(-1)?.metrics.shareOfVoice.value),
    )
    expect(byDay[0]?.slice(1)).toEqual(last)
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

describe.skipIf(lacksChromium)('reports', () => {
  test('are shown, closed, shared again and made', async () => {
    const list = async () => (await asked(ReportsDocument)).project?.reports?.nodes ?? []
    const of = `projectId: "${demo}", reportType: visibility, share: true, window: { days: 7 }`
    await api.graphql(`mutation { createReport(${of}) { __typename } }`, keys.test)
    await makeReport(api, (await list())[0]?.id ?? '')
    const [report] = await list()
    if (!report?.shareUrl) throw new Error('The report is shared.')
    const tab = await open('reports')
    const { page } = tab
    const [row] = await cellsOf(page, 'Reports of this project')
    expect(row?.[0]).toBe(report.title)
    expect(row?.[2]).toBe('done')
    const link = page.getByRole('link', { name: `Open ${report.title}` })
    expect(await link.getAttribute('href')).toBe(report.shareUrl)
    await expectSound(tab, 'reports')
    await page.getByRole('button', { name: `Revoke the link: ${report.title}` }).click()
    await link.waitFor({ state: 'detached' })
    const now = async () => (await list()).find(({ id }) => id === report.id)?.shareUrl
    expect(await now()).toBe(null)
    await page.getByRole('button', { name: `Share: ${report.title}` }).click()
    await link.waitFor()
    expect(await now()).not.toBe(report.shareUrl)
    await page.getByLabel('Title').fill(`Mine ${markup}`)
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('rowheader', { name: `Mine ${markup}` }).waitFor()
    const made = (await list()).find(({ title }) => title === `Mine ${markup}`)
    expect(made?.dateRange).toEqual(window)
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect(tab.faults).toEqual([])
  })

  test('an empty project says that no report was made', async () => {
    const tab = await openSmall('reports', empty)
    await tab.page.getByText('No report was made.').waitFor()
    await expectSound(tab, 'reports-empty')
  })
})

test.skipIf(lacksChromium)('an import shows without a reload', async () => {
  const project = await workspace.project()
  const { page } = await openSmall('named', project)
  await page.getByText('This project has no answers yet.').waitFor()
  await workspace.load(project, [{ collectedAt: '2025-06-10T08:00:00Z', text: 'Acme is good.' }])
  expect((await cellsOf(page, 'Tracked brands')).map(([name]) => name)).toEqual(['Acme'])
})
