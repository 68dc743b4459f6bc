import { beforeAll, describe, expect, test } from 'vitest'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { shown } from '../../web/share/numbers.ts'
import { useApi } from '../kit/api.ts'
import { isSoak } from '../kit/soak.ts'
import { seriousFindings } from '../kit/web/axe.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf } from './dashboard-page.ts'

const api = useApi()
const browser = useBrowser()
const asBrowser = { accept: 'text/html' }
const window = 'from=2025-05-01&to=2025-05-31'
/** A text that is no text where it is not escaped. */
const markup = '<img src=x onerror="document.title=1"><b>'
let key = ''
/** Each page costs dozens of the 600 units that a key has a minute. */
let otherKey = ''
let project = ''

/** Twelve answers of chatgpt in May 2025, half of them name Acme; two of perplexity, which do not. */
beforeAll(async () => {
  await ensureDashboard()
  const workspace = await api.workspace('growth')
  const competitors = [{ name: `Bolt ${markup}`, domain: 'bolt.io' }]
  project = await workspace.project({ competitors })
  key = (await workspace.key()).key
  otherKey = (await workspace.key()).key
  const lines = Array.from({ length: 12 }, (_, i) => ({
    prompt: `which ${i % 4} ${markup}`,
    collectedAt: `2025-05-${10 + (i % 6)}T08:00:00Z`,
    citations: [{ url: i ? 'https://a.example/<b>' : 'javascript:alert(1)', title: markup }],
    text: i % 2 ? 'Acme is excellent. [1]' : `Others such as Bolt ${markup} lead.`,
  }))
  const other = { platform: 'perplexity', text: 'Nothing to say.' }
  await workspace.load(project, [
    ...lines,
    { ...other, prompt: 'which 0' },
    { ...other, prompt: 'x' },
  ])
  const at = { createdAt: new Date('2025-01-01'), textChangedAt: new Date('2025-01-01') }
  await api.db.prompt.create({ data: { projectId: project, text: `never ${markup}`, ...at } })
})

const standing = `query($project: ID!) { project(id: $project) {
  visibility(window: { from: "2025-05-01", to: "2025-05-31" }) {
    summary { metrics { visibilityScore { value low high } averagePosition { value } } }
    platforms { platform { displayName } responses metrics { visibilityScore { value } } }
  }
  shareOfVoice(window: { from: "2025-05-01", to: "2025-05-31" }) { brand { metrics { sov { value } } } }
} }`

test('the page has the strictest policy, and other clients get no page', async () => {
  const page = await fetch(`${api.url}/`, { headers: asBrowser })
  expect(page.headers.get('content-type')).toContain('text/html')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect((await fetch(`${api.url}/`, { headers: { accept: 'application/json' } })).status).toBe(401)
  const deep = await fetch(`${api.url}/projects/x/standing`, { headers: asBrowser })
  expect(await deep.text()).toBe(await page.text())
})

describe.skipIf(lacksChromium)('in Chromium', () => {
  if (isSoak) {
    test('what a browser loads for the first page is below 350 kB', async () => {
      const { page } = await browser.open(`${api.url}/?${window}#key=${otherKey}`)
      await page.getByRole('heading', { name: 'Visibility by day' }).waitFor()
      const sizes = await page.evaluate(() =>
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .filter(({ name }) => !name.endsWith('/graphql'))
          .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
      )
      // The page, its script and style, and the parts that the first page needs.
      expect(sizes.length).toBeGreaterThan(4)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeGreaterThan(100_000)
      expect(bytes).toBeLessThan(350_000)
    })
  }

  test('a code signs in once, a reload needs none, and signing out ends it', async () => {
    const code = await makePageCode(api.db, key)
    const { page, faults } = await browser.open(`${api.url}/?${window}#code=${code}`)
    const part = page.getByRole('heading', { name: 'Visibility by day' })
    await part.waitFor()
    expect(page.url()).toBe(`${api.url}/projects/${project}/standing?${window}`)
    const assistants = page.getByRole('option', { name: 'ChatGPT' })
    await assistants.waitFor({ state: 'attached' })
    await page.reload()
    await Promise.all([part.waitFor(), assistants.waitFor({ state: 'attached' })])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(faults).toEqual([])
    const used = await browser.open(`${api.url}/#code=${code}`)
    await used.page.getByRole('alert').getByText('This link was used').waitFor()
  })

  test('a wrong key is refused in words, a right one opens the page that was asked for', async () => {
    const { page } = await browser.open(`${api.url}/projects/${project}/standing?${window}`)
    await page.getByLabel('API key').fill('sgl_unknown')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('does not know this key').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Visibility by day' }).waitFor()
    expect(page.url()).toBe(`${api.url}/projects/${project}/standing?${window}`)
  })

  test('shows the numbers of the graph, names as text, and asks nobody else', async () => {
    const address = `${api.url}/projects/${project}/standing?${window}#key=${key}`
    const { page, faults, outside } = await browser.open(address)
    await page.getByRole('heading', { name: 'Visibility by day' }).waitFor()
    const answer = await (await api.graphql(standing, key, { project })).json()
    const { visibility, shareOfVoice } = answer.data.project
    const { visibilityScore, averagePosition } = visibility.summary.metrics
    expect(visibilityScore.value).toBe(42.86)
    const tile = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    const shows = async (name: string, text: string) =>
      expect(await tile(name).textContent()).toContain(text)
    await shows('Visibility', shown(visibilityScore.value, 'percent'))
    await shows('Visibility', '6 of 14 answers name the brand.')
    const { low, high } = visibilityScore
    await shows('Visibility', `${shown(low, 'percent')} to ${shown(high, 'percent')}`)
    await shows('Share of voice', shown(shareOfVoice.brand.metrics.sov.value, 'percent'))
    await shows('Position', shown(averagePosition.value, 'position'))
    await shows('Position', 'fewer than ten say little')
    for (const { platform, responses, metrics } of visibility.platforms) {
      const row = page.getByRole('row').filter({ hasText: platform.displayName })
      const text = (await row.textContent()) ?? ''
      expect(text).toContain(shown(metrics.visibilityScore.value, 'percent'))
      expect(text.trim().endsWith(String(responses))).toBe(true)
    }
    await page.getByRole('rowheader', { name: `Bolt ${markup}` }).waitFor()
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect({ faults, outside }).toEqual({ faults: [], outside: [] })
  })

  if (isSoak) {
    test('numbers and dates are written as the reader writes them, in drawings too', async () => {
      const address = `${api.url}/projects/${project}/standing?${window}#key=${otherKey}`
      const { page } = await browser.open(address, [], 'en-ZA')
      await page.getByText('42,9%', { exact: true }).waitFor()
      await page.getByText('1 May 2025 to 31 May 2025').waitFor()
      expect(await page.locator('.chart').getByText('50,0%').count()).toBeGreaterThan(0)
      const american = await browser.open(address, [], 'en-US')
      await american.page.getByText('May 1, 2025 to May 31, 2025').waitFor()
    })
  }

  if (isSoak) {
    test('opens its question in GraphiQL, which gives the same numbers', async () => {
      const address = `${api.url}/projects/${project}/standing?${window}#key=${otherKey}`
      const { page } = await browser.open(address)
      await page.getByRole('heading', { name: 'Visibility by day' }).waitFor()
      const link = page.getByRole('link', { name: 'Open in GraphiQL: Visibility by day' })
      const query = new URL((await link.getAttribute('href')) ?? '', api.url).searchParams.get(
        'query',
      )
      const { data } = await (await api.graphql(query ?? '', key)).json()
      expect(data.project.visibility.summary.totalResponses).toBe(14)
    })
  }

  test('leads from a prompt to its answers, whose markup is text', async () => {
    const address = `${api.url}/projects/${project}/asked?${window}#key=${otherKey}`
    const { page, faults, outside } = await browser.open(address)
    const prompt = page.getByRole('link', { name: `which 1 ${markup}`, exact: true })
    // Three answers of chatgpt, and all name Acme.
    const row = page.getByRole('row').filter({ has: prompt })
    expect(await row.textContent()).toContain('100.0%')
    expect(await row.getByRole('img', { name: 'From 100.0% to 100.0%' }).count()).toBe(1)
    expect(await cellsOf(page, 'Prompts without an answer')).toEqual([
      [`never ${markup}`, '', expect.stringContaining('2025')],
    ])
    expect(await seriousFindings(page)).toEqual([])
    await prompt.click()
    await page.getByRole('heading', { level: 2, name: `which 1 ${markup}` }).waitFor()
    await page.getByText('3 answers in this window').waitFor()
    expect(await page.locator('article').count()).toBe(3)
    expect(await page.locator('mark.own.positive').allTextContents()).toEqual(Array(3).fill('Acme'))
    await page.getByRole('link', { name: '[1]' }).first().click()
    expect(await page.locator('li:target').textContent()).toContain('a.example')
    await page.reload()
    await page.getByText('3 answers in this window').waitFor()
    expect(await page.locator('main img, main b, main a[href^="javascript"]').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect({ faults, outside }).toEqual({ faults: [], outside: [] })
  })
})
