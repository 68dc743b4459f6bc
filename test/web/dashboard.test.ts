import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { shown } from '../../web/share/numbers.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { isSoak } from '../kit/soak.ts'
import { seriousFindings } from '../kit/web/axe.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf, csvOf, expectNarrow, isOnFirstScreen } from './dashboard-page.ts'

const api = useApi()
const browser = useBrowser()
const window = 'from=2025-05-01&to=2025-05-31'
/** A text that is no text where it is not escaped. */
const markup = '<img src=x onerror="document.title=1"><b>'
const bolt = `Bolt ${markup}`
let workspace: TestWorkspace
let project = ''
/** Each page costs dozens of the 600 units that a key has a minute: each test has a key of its own. */
let key = ''

/**
 * Twelve answers of chatgpt in May 2025, half of them mention Acme and half Bolt; two of perplexity, of which one
 * mentions Bolt. Thirty-three prompts: five have answers.
 */
beforeAll(async () => {
  await ensureDashboard()
  workspace = await api.workspace('growth')
  project = await workspace.project({
    competitors: [{ name: bolt, domain: 'bolt.io', aliases: [{ text: 'Bolt' }] }],
  })
  const lines = Array.from({ length: 12 }, (_, i) => ({
    prompt: `which ${i % 4} ${markup}`,
    collectedAt: `2025-05-${10 + (i % 6)}T08:00:00Z`,
    citations: [{ url: i ? 'https://a.example/<b>' : 'javascript:alert(1)', title: markup }],
    text: i % 2 ? 'Acme is excellent. [1]' : `Others such as ${bolt} lead.`,
  }))
  const other = { platform: 'perplexity', prompt: 'x' }
  await workspace.load(project, [
    ...lines,
    { ...other, text: `${bolt} leads.` },
    { ...other, text: 'Nothing to say.', collectedAt: '2025-05-11T08:00:00Z' },
  ])
  const at = { createdAt: new Date('2025-01-01'), textChangedAt: new Date('2025-01-01') }
  const texts = [`never ${markup}`, ...Array.from({ length: 27 }, (_, i) => `never ${i}`)]
  await api.db.prompt.createMany({
    data: texts.map((text) => ({ projectId: project, text, ...at })),
  })
})
beforeEach(async () => {
  key = (await workspace.key()).key
})

const window31 = '(window: { from: "2025-05-01", to: "2025-05-31" })'
const numbers = `query($project: ID!) { project(id: $project) {
  visibility${window31} { summary { metrics { visibilityScore { value low high } averagePosition { value } } } }
  shareOfVoice${window31} { nodes { brand { isOwn } metrics { shareOfVoice { value } } } }
  sentiment${window31} { summary { metrics { score { value } } } }
  brands${window31} { nodes {
    brand { name }
    visibility { metrics { visibilityScore { value } averagePosition { value } } }
    sentiment { metrics { score { value denominator } } }
  } }
} }`

interface Voice {
  readonly metrics: Record<'shareOfVoice', Value>
}

interface BrandRow {
  readonly brand: { readonly name: string }
  readonly visibility: { readonly metrics: Record<'visibilityScore' | 'averagePosition', Value> }
  readonly sentiment: {
    readonly metrics: { readonly score: Value & { readonly denominator: number } }
  }
}
interface Value {
  readonly value: number | null
}

const addressOf = (page: string) => `${api.url}/projects/${project}/${page}?${window}#key=${key}`

test('the page has the strictest policy and is stored nowhere, and other clients get no page', async () => {
  const get = async (path: string, accept = 'text/html') => {
    const response = await fetch(api.url + path, { headers: { accept } })
    return { response, headers: response.headers, text: await response.text() }
  }
  const page = await get('/')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('cache-control')).toBe('no-store')
  const policy = page.headers.get('content-security-policy') ?? ''
  const nonce = /'nonce-([\w+/=]{20,})'/.exec(policy)?.[1] ?? ''
  expect(policy).toContain(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; `,
  )
  expect(policy).not.toContain('unsafe')
  expect(page.text).toContain(`nonce="${nonce}"`)
  // The page is the same for all addresses, but for the nonce of its response.
  const same = page.text.replace(nonce, '')
  for (const [path, status] of [
    ['/projects/x/overview', 200],
    ['/no-such-page', 404],
  ] as const) {
    const other = await get(path)
    const own = /'nonce-(.*?)'/.exec(other.headers.get('content-security-policy') ?? '')?.[1] ?? ''
    expect(own).not.toBe(nonce)
    expect([other.response.status, other.text.replace(own, '')]).toEqual([status, same])
  }
  for (const path of ['/', '/no-such-page']) {
    const { response, headers, text } = await get(path, 'application/json')
    expect([response.status, headers.get('content-type')]).toEqual([
      401,
      'application/problem+json',
    ])
    expect(JSON.parse(text)).toMatchObject({ status: 401, code: 'unauthorized' })
  }
})

describe.skipIf(lacksChromium)('in Chromium', () => {
  test('what a browser loads until the first numbers stand there is below 280 kB', async () => {
    const { page } = await browser.open(`${api.url}/healthz`)
    // Seen in the page itself: a second later it loads the other pages, which a busy test would count.
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const card = document.querySelector('li.figure[aria-label=Visibility]')
        if (!card || !/\d%/.test(card.textContent)) return
        performance.mark('first numbers')
        observer.disconnect()
      })
      observer.observe(document, { subtree: true, childList: true, characterData: true })
    })
    await page.goto(`${api.url}/?${window}#key=${key}`)
    await page.getByRole('img', { name: /^Visibility\. / }).waitFor()
    const loaded = await page.evaluate(() => {
      const at = performance.getEntriesByName('first numbers')[0]?.startTime ?? Infinity
      return [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ]
        .filter(({ name }) => !name.endsWith('/graphql'))
        .map((entry) => {
          const { name, startTime, encodedBodySize } = entry as PerformanceResourceTiming
          return { name, isFirst: startTime < at, bytes: encodedBodySize }
        })
    })
    const first = loaded.filter(({ isFirst }) => isFirst)
    const bytes = first.reduce((all, each) => all + each.bytes, 0)
    const names = first.map(({ name, bytes }) => `${bytes} ${name.replace(/[?#].*/, '')}`)
    expect(first.length, 'the rest of the page comes later').toBeLessThan(loaded.length)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes, names.join('\n')).toBeLessThan(280_000)
  })

  test('a code signs in once, a reload needs none, and signing out ends it', async () => {
    const code = await makePageCode(api.db, { key })
    const { page, faults } = await browser.open(`${api.url}/?${window}#code=${code}`)
    const title = page.getByRole('heading', { level: 1, name: 'Overview' })
    await title.waitFor()
    expect(page.url()).toBe(`${api.url}/projects/${project}/overview?${window}`)
    const platforms = page.getByRole('button', { name: 'All AI platforms' })
    await platforms.waitFor()
    await page.reload()
    await Promise.all([title.waitFor(), platforms.waitFor()])
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(faults).toEqual([])
    const used = await browser.open(`${api.url}/#code=${code}`)
    await used.page.getByRole('alert').getByText('This link was used').waitFor()
  })

  test('a wrong key is refused in words, a right one opens the page that was asked for', async () => {
    const { page } = await browser.open(`${api.url}/projects/${project}/overview?${window}`)
    await page.getByRole('button', { name: 'Use an API key' }).click()
    await page.getByLabel('API key').fill('sgl_unknown')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The API key is mistyped').waitFor()
    expect.soft(await seriousFindings(page)).toEqual([])
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${api.url}/projects/${project}/overview?${window}`)
  })

  test('the overview shows the numbers of the graph, names as text, and asks nobody else', async () => {
    const { page, faults, outside } = await browser.open(addressOf('overview'))
    await page.getByRole('img', { name: /^Visibility\. / }).waitFor()
    const { data } = await (await api.graphql(numbers, key, { project })).json()
    const { visibility, shareOfVoice, sentiment, brands } = data.project
    const { visibilityScore, averagePosition } = visibility.summary.metrics
    expect(visibilityScore.value).toBe(42.86)
    const figure = (name: string) => page.getByRole('listitem', { name, exact: true })
    const shows = async (name: string, ...texts: string[]) => {
      const found = await figure(name).textContent()
      for (const text of texts) expect(found).toContain(text)
    }
    const percent = ({ value }: Value) => shown(value, 'percent')
    await shows('Visibility', percent(visibilityScore), 'Mentioned in 6 of 14 answers')
    const { low, high } = visibilityScore
    const range = `${shown(low, 'percent')} to ${shown(high, 'percent')}`
    const about = `95% confidence interval over prompts like these: ${range}.`
    expect(await figure('Visibility').getByRole('button', { name: about }).count()).toBe(1)
    // Seven of thirteen mentions are Bolt's.
    const [theirs, own] = shareOfVoice.nodes.map(({ metrics }: Voice) =>
      percent(metrics.shareOfVoice),
    )
    await shows('Share of voice', '#2 of 2', `${own} of mentions · ${bolt} leads with ${theirs}`)
    const score = shown(sentiment.summary.metrics.score.value, 'score')
    await shows('Sentiment', score, '100.0% positive')
    await shows('Average position', shown(averagePosition.value, 'position'), 'few answers (6)')
    const scoreOf = ({ value, denominator }: BrandRow['sentiment']['metrics']['score']) =>
      value === null && denominator > 0 ? 'too few answers' : shown(value, 'score')
    const rows = brands.nodes.map(({ brand, visibility, sentiment }: BrandRow, at: number) => [
      `${at + 1}${brand.name}`,
      percent(visibility.metrics.visibilityScore),
      at === 0 ? theirs : own,
      shown(visibility.metrics.averagePosition.value, 'position'),
      scoreOf(sentiment.metrics.score),
    ])
    expect(await cellsOf(page, 'Brands')).toEqual(rows)
    expect(rows.flat()).toHaveLength(10)
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect.soft(await seriousFindings(page)).toEqual([])
    const rank = figure('Share of voice').getByText('#2 of 2')
    expect(await isOnFirstScreen(page, rank)).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await isOnFirstScreen(page, rank)).toBe(true)
    await expectNarrow(page)
    expect({ faults, outside }).toEqual({ faults: [], outside: [] })
  })

  if (isSoak) {
    test('numbers and dates are written as the reader writes them, in drawings too', async () => {
      const { page } = await browser.open(addressOf('overview'), [], 'en-ZA')
      await page.getByText('42,9%', { exact: true }).first().waitFor()
      await page.getByText('1 May 2025 to 31 May 2025').waitFor()
      await page.getByRole('img', { name: /^Visibility\. Acme from \d+,\d% to / }).waitFor()
      const american = await browser.open(addressOf('overview'), [], 'en-US')
      await american.page.getByText('May 1, 2025 to May 31, 2025').waitFor()
    })
  }

  if (isSoak) {
    test('opens its question in GraphiQL, which gives the same numbers', async () => {
      const { page } = await browser.open(addressOf('overview'))
      await page.getByRole('button', { name: 'Options: Brands' }).click()
      const link = page.getByRole('menuitem', { name: 'Open in GraphiQL' })
      const { searchParams } = new URL((await link.getAttribute('href')) ?? '', api.url)
      const variables = JSON.parse(searchParams.get('variables') ?? '')
      const { data } = await (
        await api.graphql(searchParams.get('query') ?? '', key, variables)
      ).json()
      expect(data.project.visibility.summary.answerCount).toBe(14)
    })
  }

  test('leads from a lost prompt to its answers by three clicks, and markup stays text', async () => {
    const { page, faults, outside } = await browser.open(addressOf('overview'))
    const lost = page.getByRole('region', { name: 'Prompts you lose' })
    await lost.getByRole('link', { name: `which 0 ${markup}`, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: `which 0 ${markup}` }).waitFor()
    // The newest of its three answers is next to their list; a press opens another.
    const list = page.getByRole('region', { name: 'Answers', exact: true })
    const answer = page.getByRole('region', { name: 'Open answer' }).getByRole('article')
    await page.getByText('3 answers', { exact: true }).waitFor()
    await answer.getByText('14 May 2025').waitFor()
    await list.getByRole('link').nth(2).click()
    await answer.getByText('10 May 2025').waitFor()
    await answer.getByText(`Others such as ${bolt} lead.`).waitFor()
    expect(await answer.locator('mark').allTextContents()).toEqual(['Bolt'])
    await page.reload()
    await answer.getByText('10 May 2025').waitFor()
    expect(await page.locator('main img, main b, main a[href^="javascript"]').count()).toBe(0)
    expect.soft(await seriousFindings(page)).toEqual([])
    await expectNarrow(page)
    expect({ faults, outside }).toEqual({ faults: [], outside: [] })
  })

  test('lists prompts with their results, and saves all of them as CSV', async () => {
    const { page, faults, outside } = await browser.open(addressOf('prompts'))
    // Five have answers: two are won, and three lost to Bolt.
    const results = page.getByRole('radiogroup', { name: 'State' })
    for (const name of ['All 33', 'Winning 2', 'Losing 3', 'Even 0', 'No answers 28']) {
      await results.getByRole('radio', { name }).waitFor({ state: 'attached' })
    }
    await page.getByText('25 of 33 prompts').waitFor()
    expect(await cellsOf(page, 'Prompts')).toHaveLength(25)
    const { name, lines } = await csvOf(page, 'Prompts')
    expect([name, lines.length]).toEqual(['prompts.csv', 33])
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('33 of 33 prompts').waitFor()
    await results.getByText('Winning 2').click()
    await page.getByText('2 of 2 prompts').waitFor()
    const won = page.getByRole('row').filter({ hasText: `which 1 ${markup}` })
    expect(await won.textContent()).toContain('100.0%')
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect.soft(await seriousFindings(page)).toEqual([])
    await expectNarrow(page)
    expect({ faults, outside }).toEqual({ faults: [], outside: [] })
  })
})
