import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  AiTrafficDocument,
  AllUrlsDocument,
  CompetitorDocument,
  CompetitorsDocument,
  CrawlerPagesDocument,
  DomainDocument,
  OpportunitiesDocument,
  ReportsDocument,
  SearchTrafficDocument,
  ShoppingAndAdsDocument,
  SiteAuditDocument,
  SitePageDocument,
  SourcesDetailsDocument,
  SourcesDocument,
  SureSharesDocument,
} from '../../dashboard/documents.ts'
import { count, shown } from '../../web/share/numbers.ts'
import { makeReport } from '../../worker/report.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { cellsOf, csvOf, expectSound } from './dashboard-page.ts'
import { percent, useDemoPages } from './demo-pages.ts'

const api = useApi()
const browser = useBrowser()
const { demo, days, window, keys, open, asked } = useDemoPages(api, browser)
/** A text that is no text where it is not escaped. */
const markup = '<img src=x onerror="document.title=1"><b>'
/** Three answers: one mentions both brands, one Bolt, one nobody. */
let small = ''
let smallKey = ''
let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await api.workspace('growth')
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

/** A table shows this many rows at first. */
const rowsShown = 10

describe.skipIf(lacksChromium)('sources', () => {
  test('are domains and pages with the numbers of the graph', async () => {
    const tab = await open('sources')
    const { page } = tab
    const { project } = await asked(SourcesDocument)
    const { nodes = [] } = project?.sourceDomains ?? {}
    const { project: details } = await asked(SourcesDetailsDocument, { interval: 'day' })
    const ours = new Map(
      details?.sourceDomains?.nodes.map(({ domain, brands }) => [
        domain,
        count(brands?.nodes.find(({ brand }) => brand?.isOwn)?.visibility.mentionedIn ?? 0),
      ]),
    )
    expect(nodes.length).toBeGreaterThan(rowsShown)
    // The answers that mention the brand come after the domains.
    const mentions = page.getByRole('table', { name: 'Domains' }).locator('tr.own td').nth(2)
    await mentions.filter({ hasText: /\d/ }).waitFor()
    const [domains, pages] = [await cellsOf(page, 'Domains'), await cellsOf(page, 'Pages')]
    expect(domains.map(([domain, , ...rest]) => [domain, ...rest])).toEqual(
      nodes
        .slice(0, rowsShown)
        .map((each) => [
          each.domain,
          percent(each.metrics.citationRate.value),
          ours.get(each.domain),
          count(each.citationCount),
          count(each.pageCount),
        ]),
    )
    expect(pages.map(([name, , ...rest]) => [name, ...rest])).toEqual(
      project?.sourceUrls?.nodes
        .slice(0, rowsShown)
        .map(({ title, url, metrics, citedIn }) => [
          (title === url ? '' : title) + url.replace(/^https?:\/\/(www\.)?/, ''),
          percent(metrics.citationRate.value),
          count(citedIn),
        ]),
    )
    const [own, rivals] = [details?.own, details?.competitors].map((trend) =>
      count((trend?.citations ?? []).reduce((sum, each) => sum + each.citationCount, 0)),
    )
    expect(own).toBe(count(nodes.find(({ type }) => type === 'brand')?.citationCount ?? 0))
    const overTime = `Citations over time. Your site ${own}, Sites of competitors ${rivals}`
    await page.getByRole('img', { name: overTime, exact: true }).waitFor()
    // A search finds what the page has not read yet, and so does the file.
    const { project: all } = await asked(AllUrlsDocument)
    const last = all?.sourceUrls?.nodes[400]?.url.replace(/^https?:\/\/(www\.)?/, '') ?? ''
    await page.getByRole('textbox', { name: 'Search: Pages' }).fill(last)
    await page.getByRole('table', { name: 'Pages', exact: true }).getByText(last).first().waitFor()
    expect((await csvOf(page, 'Pages')).lines.join()).toContain(last)
    const types = page.getByRole('region', { name: 'Page types' }).getByRole('listitem')
    const rates = (project?.contentTypes ?? [])
      .map(({ metrics }) => metrics.citationRate.value ?? 0)
      .toSorted((a, b) => b - a)
      .map(percent)
    const texts = await types.allTextContents()
    expect(texts.map((text) => /[\d.,]+%$/.exec(text)?.[0])).toEqual(rates)
    const { latest } = project?.domainAuthority ?? {}
    const authority = page.getByRole('listitem', { name: 'Domain authority', exact: true })
    await authority.getByText(shown(latest?.score ?? null, 'score'), { exact: true }).waitFor()
    await expectSound(tab, 'sources')
  })

  test('lead down to a domain, a page of it, and the answers that cite them', async () => {
    const tab = await open('sources/rtings.com')
    const { page } = tab
    await page.getByRole('heading', { level: 1, name: 'rtings.com' }).waitFor()
    const { project } = await asked(DomainDocument, { domain: 'rtings.com' })
    const { citationRate } = project?.sourceDomain?.metrics ?? {}
    expect(citationRate?.numerator).toBeGreaterThan(100)
    await page
      .getByText(`${count(citationRate?.numerator ?? 0)} answers`, { exact: true })
      .waitFor()
    const answer = page.getByRole('region', { name: 'Open answer' }).getByRole('article')
    const cited = answer.getByRole('listitem').getByRole('link', { name: 'rtings.com' })
    await cited.first().waitFor()
    await expectSound(tab, 'source')
    const [first] = project?.sourceDomain?.urls?.nodes ?? []
    const pages = page.getByRole('table', { name: 'Pages', exact: true })
    await pages.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: first?.title || first?.url || '' }).waitFor()
    await page.getByRole('listitem', { name: 'Cited in', exact: true }).waitFor()
    await answer.waitFor()
    await expectSound(tab, 'source-page')
  })

  test('to win are domains whose answers mention competitors and never the own brand', async () => {
    const tab = await openSmall('sources')
    const { page } = tab
    // Of four domains one is cited beside Bolt alone, one beside nobody, and one is the own.
    expect(await cellsOf(page, 'Domains')).toHaveLength(4)
    const gaps = await cellsOf(page, 'Sources to win')
    const found = gaps.map(([domain, , reach, , ours, names]) => [domain, reach, ours, names])
    expect(found).toContainEqual(['gap.example', '1', '0', 'Bolt 1'])
    expect(found.map(([domain]) => domain)).not.toContain('nobody.example')
    expect((await cellsOf(page, 'Pages'))[0]?.[0]).toContain(markup)
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect(tab.faults).toEqual([])
  })
})

describe.skipIf(lacksChromium)('AI traffic', () => {
  test('shows crawlers, pages and coverage with the numbers of the graph', async () => {
    const tab = await open('ai-traffic')
    const { page } = tab
    const crawlers = await cellsOf(page, 'Crawlers')
    const paths = await cellsOf(page, 'Pages: crawled, cited, visited')
    const unread = await cellsOf(page, 'Sitemap pages that no crawler visited')
    const statuses = await cellsOf(page, 'Status codes')
    const { project } = await asked(AiTrafficDocument)
    const shownOf = (value: number | null | undefined) => (value == null ? '' : count(value))
    expect(crawlers.map(([name, , , ...rest]) => [name, ...rest.slice(0, 6)])).toEqual(
      project?.crawlers?.nodes
        .slice(0, rowsShown)
        .map(({ botName, visits, verification, paths }) => [
          botName,
          count(visits),
          ...[
            verification?.verified,
            verification?.signed,
            verification?.claimed,
            verification?.impostor,
          ].map(shownOf),
          count(paths),
        ]),
    )
    expect(paths).toEqual(
      project?.trafficCorrelation?.nodes
        .slice(0, rowsShown)
        .map(({ path, visits, citationCount, sessions }) => [
          path,
          ...[visits, citationCount, sessions].map(shownOf),
        ]),
    )
    expect(unread.map(([url]) => url)).toEqual(
      project?.sitemapCoverage?.nodes.slice(0, rowsShown).map(({ url }) => url),
    )
    const overview = project?.trafficOverview
    expect(statuses.map(([status = '', visits]) => [Number.parseInt(status, 10), visits])).toEqual(
      overview?.crawlers.byStatus
        .slice(0, rowsShown)
        .map(({ statusCode, visits }) => [statusCode, count(visits)]),
    )
    for (const [name, value] of [
      ['Crawler visits', count(overview?.crawlers.total ?? 0)],
      ['AI referrals', count(overview?.referrals.total ?? 0)],
      ['Sitemap crawled', percent(project?.sitemapCoverage?.summary.coverageRate)],
    ] as const) {
      const figure = page.getByRole('listitem', { name, exact: true })
      await figure.getByText(value, { exact: true }).waitFor()
    }
    await page.getByRole('img', { name: /^Crawler visits over time\. / }).waitFor()
    await expectSound(tab, 'ai-traffic')
  })

  test('of AI platforms is counted over time and by landing page, and a crawler has its pages', async () => {
    const { page, faults } = await open('ai-traffic')
    const { project } = await asked(AiTrafficDocument)
    const { series = [], byPlatform = [] } = project?.trafficOverview?.referrals ?? {}
    const referrals = await csvOf(page, 'AI referrals over time')
    const day = series[0]?.date
    const ofDay = byPlatform.map(
      ({ platform }) =>
        series.find((each) => each.date === day && each.platform.slug === platform.slug)
          ?.sessions ?? 0,
    )
    expect(referrals.lines.find((line) => line.startsWith(day ?? ''))).toBe(
      [day, ...ofDay].join(','),
    )
    const [most] = byPlatform
    const ofMost = (project?.trafficAttribution?.rows ?? []).filter(
      ({ platform }) => platform?.slug === most?.platform.slug,
    )
    const bars = page.getByRole('region', { name: 'AI referrals by platform' })
    await bars.getByRole('link', { name: most?.platform.displayName ?? '' }).click()
    await page.waitForURL(/from_platform=/)
    const landings = await cellsOf(page, 'Landing pages of AI referrals')
    expect(landings[0]).toEqual([ofMost[0]?.landingPath, count(ofMost[0]?.sessions ?? 0)])

    const name = project?.crawlers?.nodes[0]?.botName ?? ''
    await page.getByRole('table', { name: 'Crawlers' }).getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const found = (await asked(CrawlerPagesDocument, { name })).project?.crawler
    expect((await cellsOf(page, 'Pages it reads')).map(([, visits]) => visits)).toEqual(
      found?.pages?.nodes.slice(0, rowsShown).map(({ visits }) => count(visits)),
    )
    expect(faults).toEqual([])
  })

  test('has the clicks of Search Console beside the citations of the same pages', async () => {
    const tab = await open('ai-traffic')
    const { page } = tab
    // They are asked when a reader comes near.
    await page.getByRole('region', { name: 'Crawlers', exact: true }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const [queries, pages] = [
      await cellsOf(page, 'Google queries'),
      await cellsOf(page, 'Pages in Google results'),
    ]
    const { project } = await asked(SearchTrafficDocument, { interval: 'day' })
    const { clicks = 0, impressions = 0 } = project?.searchPerformance?.totals ?? {}
    expect(clicks).toBeGreaterThan(100)
    await page.getByText(`${count(clicks)} clicks of ${count(impressions)} impressions`).waitFor()
    const rowOf = (row: { clicks: number; impressions: number; ctr: number | null }) => [
      count(row.clicks),
      count(row.impressions),
      percent(row.ctr),
    ]
    expect(queries.map((cells) => cells.slice(0, 4))).toEqual(
      project?.searchQueries?.nodes.slice(0, rowsShown).map((row) => [row.query, ...rowOf(row)]),
    )
    expect(pages.map(([url, ...cells]) => [url, ...cells.slice(0, 3), cells[4]])).toEqual(
      project?.searchPages?.nodes
        .slice(0, rowsShown)
        .map((row) => [row.url, ...rowOf(row), count(row.page?.metrics?.citations.total ?? 0)]),
    )
    await expectSound(tab, 'ai-traffic-google')
  })

  test('of a page is its way: crawled, retrieved, cited and visited', async () => {
    const paths = (await asked(AiTrafficDocument)).project?.trafficCorrelation?.nodes ?? []
    const id = paths.find((each) => each.page)?.page?.id ?? ''
    const found = (await asked(SitePageDocument, { page: id })).project?.page
    const tab = await open(`ai-traffic/${id}`)
    const { crawls, retrievals, citations, referrals, clicks } = found?.metrics ?? {}
    const times = [
      ['Crawled by bots', crawls?.total],
      ['Retrieved for answers', retrievals?.total],
      ['Cited in answers', citations?.total],
      ['AI referrals', referrals?.total],
      ['Google clicks', clicks?.total],
    ] as const
    expect(crawls?.total).toBeGreaterThan(10)
    const funnel = tab.page.getByRole('region', { name: 'Page funnel' }).getByRole('listitem')
    await funnel.first().waitFor()
    expect(await funnel.allTextContents()).toEqual(
      times.map(([name, each]) => name + (each == null ? 'Not connected' : count(each))),
    )
    await expectSound(tab, 'site-page')
  })
})

describe.skipIf(lacksChromium)('the site audit', () => {
  test('shows scores and issues by check, ignores one for a reason, and reopens it', async () => {
    const { project: before } = await asked(SiteAuditDocument, { issues: { statuses: ['open'] } })
    const tab = await open('site-audit')
    const { page } = tab
    const [audit] = before?.audits?.nodes ?? []
    const [row] = await cellsOf(page, 'Audits')
    const { overall, technical, content, aiReadiness } = audit?.scores ?? {}
    expect(row?.slice(1)).toEqual([
      'Done',
      count(audit?.pageCount ?? 0),
      count(audit?.issueCount ?? 0),
      ...[overall, technical, content, aiReadiness].map((score) => shown(score ?? null, 'score')),
    ])
    const [issue] = before?.issues?.nodes ?? []
    if (!issue) throw new Error('The demonstration has issues.')
    const checks = new Set(before?.issues?.nodes.map(({ type }) => type)).size
    const issues = page.getByRole('region', { name: 'Issues', exact: true })
    await issues.getByText(`${before?.issues?.totalCount} issues in ${checks} checks`).waitFor()
    await expectSound(tab, 'site-audit')
    await issues.getByRole('button', { name: issue.headline }).first().click()
    await issues.getByText(issue.howToFix.replaceAll('`', '')).first().waitFor()
    await issues.getByText(issue.description.replaceAll('`', '')).first().waitFor()
    const act = (verb: string) =>
      issues.getByRole('button', { name: `${verb}: ${issue.headline}` }).first()
    await act('Ignore').click()
    await issues.getByLabel('Reason').fill(`known ${markup}`)
    await page.keyboard.press('Enter')
    await issues.getByLabel('Reason').waitFor({ state: 'detached' })
    const ignored = async () => {
      const filter = { issues: { statuses: ['resolved'] } }
      const { project: after } = await asked(SiteAuditDocument, filter)
      return after?.issues?.nodes.filter(({ ignoredReason }) => ignoredReason === `known ${markup}`)
    }
    expect(await ignored()).toHaveLength(1)
    // The check stays unfolded.
    await page.getByText('Resolved', { exact: true }).click()
    await issues.getByText(`Ignored: known ${markup}`).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await act('Reopen').click()
    await expect.poll(ignored).toEqual([])
    expect(tab.faults).toEqual([])
  })
})

describe.skipIf(lacksChromium)('opportunities', () => {
  test('are tracked, done, dismissed for a reason, and opened again', async () => {
    const of = async (status: string) =>
      (await asked(OpportunitiesDocument, { opportunities: { statuses: [status] } })).project
        ?.opportunities?.nodes ?? []
    const proposed = await of('active')
    const [first, second] = proposed
    const prompt = proposed.slice(2).find(({ promptText }) => promptText)
    if (!first || !second || !prompt) throw new Error('The demonstration has opportunities.')
    const tab = await open('opportunities')
    const { page } = tab
    const card = ({ title }: { title: string }) =>
      page.getByRole('article', { name: title, exact: true })
    await card(first)
      .getByText(first.effect?.reason ?? '', { exact: true })
      .waitFor()
    expect(await page.getByRole('article').count()).toBe(Math.min(20, proposed.length))
    await expectSound(tab, 'opportunities')
    const act = (verb: string, { title }: { title: string }) =>
      page.getByRole('button', { name: `${verb}: ${title}`, exact: true })
    await act('The numbers behind it', first).click()
    await page.getByText(first.description, { exact: true }).waitFor()
    await act('Mark as done', first).click()
    await act('Mark as done', first).waitFor({ state: 'detached' })
    await act('Dismiss', second).click()
    await page.getByLabel('Reason').fill(`Later ${markup}`)
    await page.keyboard.press('Enter')
    await act('Mark as done', second).waitFor({ state: 'detached' })
    expect((await of('completed')).map(({ id }) => id)).toEqual([first.id])
    await act('Track this prompt', prompt).click()
    await page
      .getByRole('alert')
      .getByRole('link', { name: prompt.promptText ?? '' })
      .waitFor()
    await card(prompt).waitFor({ state: 'detached' })
    expect((await of('completed')).map(({ id }) => id)).toContain(prompt.id)
    const dismissed = await of('dismissed')
    expect(dismissed.map(({ id, dismissedReason }) => [id, dismissedReason])).toEqual([
      [second.id, `Later ${markup}`],
    ])
    await page.getByText('Done', { exact: true }).click()
    await card(first)
      .getByText(/^Done on /)
      .waitFor()
    await page.getByText('Dismissed', { exact: true }).click()
    await card(second).getByText(`: Later ${markup}`).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await act('Reopen', second).click()
    await page.getByText('Nothing was dismissed.').waitFor()
    expect((await of('active')).map(({ id }) => id)).toContain(second.id)
    expect(tab.faults).toEqual([])
  })
})

describe.skipIf(lacksChromium)('competitors', () => {
  test('are in products and ads too, with the numbers of the graph', async () => {
    const { page, faults } = await open('competitors')
    const products = await cellsOf(page, 'Products in answers')
    const advertisers = await cellsOf(page, 'Advertisers')
    const { project } = await asked(ShoppingAndAdsDocument)
    expect(products.map(([name, , times]) => [name, times])).toEqual(
      project?.shopping?.nodes
        .slice(0, rowsShown)
        .map(({ name, shownIn }) => [name, count(shownIn)]),
    )
    expect(advertisers.map(([name, , share, answers]) => [name, share, answers])).toEqual(
      project?.advertisers?.nodes
        .slice(0, rowsShown)
        .map(({ advertiser, shareOfAds, shownIn }) => [
          advertiser,
          percent(shareOfAds),
          count(shownIn),
        ]),
    )
    const ads = await csvOf(page, 'Ads')
    expect(ads.lines).toHaveLength(project?.ads?.totalCount ?? 0)
    expect(faults).toEqual([])
  })

  test('stand beside the own brand with the numbers of the graph', async () => {
    const tab = await open('competitors')
    const { project } = await asked(CompetitorsDocument, { interval: 'day' })
    const brands = project?.brands?.nodes ?? []
    const sure = await asked(SureSharesDocument, { compare: 'previous_period' })
    const voices = sure.project?.shareOfVoice
    await tab.page.getByRole('table', { name: 'Brands' }).locator('tr.own .delta').waitFor()
    const cells = await cellsOf(tab.page, 'Brands')
    expect(brands.length).toBe(5)
    for (const { brand, visibility, sentiment } of brands) {
      const row = cells.find(([name]) => name?.replace(/^\d+/, '') === brand?.name) ?? []
      const voice = voices?.nodes.find((each) => each.brand.id === brand?.id)
      expect(row.slice(1, 5)).toEqual([
        percent(visibility.metrics.visibilityScore.value),
        percent(voice?.metrics.shareOfVoice.value) + shown(voice?.change?.change ?? null, 'points'),
        shown(visibility.metrics.averagePosition.value, 'position'),
        shown(sentiment.metrics.score.value, 'score'),
      ])
    }
    await tab.page.getByRole('img', { name: /^Visibility\. / }).waitFor()
    await expectSound(tab, 'competitors')

    const other = brands.find(({ brand }) => !brand?.isOwn)?.brand
    if (!other) throw new Error('The demonstration has competitors.')
    const wins = { competitorIds: [other.id], results: ['lost'] }
    const one = await asked(CompetitorDocument, { brand: other.id, interval: 'day', wins })
    const { page, ...rest } = await open(`competitors/${other.id}`)
    await page.getByRole('heading', { level: 1, name: other.name, exact: true }).waitFor()
    const figure = page.getByRole('listitem', { name: 'Visibility', exact: true })
    expect(await figure.textContent()).toContain(
      percent(one.project?.competitor?.visibility?.metrics.visibilityScore.value),
    )
    const lost = one.project?.promptResults?.nodes ?? []
    expect(lost.length).toBeGreaterThan(0)
    const rows = await cellsOf(page, 'Prompts this brand wins and you lose')
    expect(rows).toEqual(
      lost
        .slice(0, 8)
        .map(({ prompt, topCompetitorVisibility, visibility }) => [
          prompt?.text,
          percent(topCompetitorVisibility.value),
          percent(visibility.value),
        ]),
    )
    await page.getByRole('region', { name: 'Open answer' }).getByRole('article').waitFor()
    await expectSound({ page, ...rest }, 'competitor')
  })
})

describe.skipIf(lacksChromium)('reports', () => {
  test('are shown, closed after a question, shared again and created', async () => {
    const list = async () => (await asked(ReportsDocument)).project?.reports?.nodes ?? []
    const of = `projectId: "${demo}", reportType: visibility, share: true, window: { days: 7 }`
    await api.graphql(`mutation { createReport(${of}) { __typename } }`, keys.test)
    await makeReport(api, (await list())[0]?.id ?? '')
    const [report] = await list()
    if (!report?.shareUrl) throw new Error('The report is shared.')
    const tab = await open('reports')
    const { page } = tab
    const [row] = await cellsOf(page, 'Reports')
    expect(row?.[0]).toBe(report.title)
    expect(row?.[2]).toBe('Done')
    const link = page.locator(`a[aria-label$="Open ${report.title}"]`)
    expect(await link.getAttribute('href')).toBe(report.shareUrl)
    await expectSound(tab, 'reports')
    const revoke = page.getByRole('button', { name: `Revoke link: ${report.title}` })
    const dialog = page.getByRole('dialog', { name: `Revoke link: ${report.title}` })
    const now = async () => (await list()).find(({ id }) => id === report.id)?.shareUrl
    await revoke.click()
    await dialog.getByText('Everyone who has the link loses access.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await now()).toBe(report.shareUrl)
    await revoke.click()
    await dialog.getByRole('button', { name: 'Revoke link' }).click()
    await link.waitFor({ state: 'detached' })
    expect(await now()).toBe(null)
    await page.getByRole('button', { name: `Share: ${report.title}` }).click()
    const form = page.getByRole('dialog', { name: `Share: ${report.title}` })
    await form.getByLabel('The link ends').selectOption('after 7 days')
    await form.getByRole('button', { name: 'Share', exact: true }).click()
    await link.waitFor()
    expect(await link.textContent()).toMatch(/^Until /)
    await page.getByRole('link', { name: report.title, exact: true }).click()
    const preview = page.frameLocator('iframe')
    await preview.getByRole('heading', { level: 1, name: report.title }).waitFor()
    await expectSound(tab, 'reports')
    await page.getByRole('main').getByRole('link', { name: 'Reports' }).click()
    expect(await now()).not.toBe(report.shareUrl)
    await page.getByLabel('Title').fill(`Mine ${markup}`)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('rowheader', { name: `Mine ${markup}` }).waitFor()
    const made = (await list()).find(({ title }) => title === `Mine ${markup}`)
    expect(made?.dateRange).toEqual(window)
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect(tab.faults).toEqual([])
  })
})

test.skipIf(lacksChromium)('an import shows without a reload', async () => {
  const project = await workspace.project()
  const { page } = await openSmall('competitors', project)
  await page.getByText('Get your first numbers').waitFor()
  await workspace.load(project, [{ collectedAt: '2025-06-10T08:00:00Z', text: 'Acme is good.' }])
  expect((await cellsOf(page, 'Brands')).map(([name]) => name)).toEqual(['1Acme'])
})
