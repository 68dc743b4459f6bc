import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sender } from '../../packages/sender/src/sender.ts'
import { gptBot } from '../kit/imports/access-logs.ts'
import { root } from '../kit/repository.ts'
import { startService, type TestService } from '../kit/service.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf, expectSound } from './dashboard-page.ts'

/** From an empty folder to a shared report, by clicks and typing alone. */

const browser = useBrowser()
let service: TestService

/** Two answers to one prompt, of 10 and 11 May 2025: the first names Acme, the second Bolt. */
const answers = join(root, 'test/fixtures/answers/peec-chats.json')

beforeAll(async () => {
  await ensureDashboard()
  service = await startService({ env: { SIGHTLINE_DEMO: '0' } })
}, 300_000)
afterAll(() => service.stop())

describe.skipIf(lacksChromium)('who starts with nothing', () => {
  test('names a brand, adds a prompt, imports answers, reads numbers, and shares a report', async () => {
    const tab = await browser.open(`${service.url}/#code=${service.codes.dashboard}`)
    const { page } = tab
    const nav = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()

    await page.getByRole('heading', { name: 'New project' }).waitFor()
    expect(page.url()).toBe(`${service.url}/new-project`)
    await page.reload()
    await page.getByRole('heading', { name: 'New project' }).waitFor()
    await expectSound(tab, 'new-project')
    await page.setViewportSize({ width: 1440, height: 900 })
    // By the keyboard alone: each field in its turn.
    await page.getByLabel('Brand', { exact: true }).focus()
    await page.keyboard.type('Acme')
    await page.keyboard.press('Tab')
    await page.keyboard.type('no domain')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a domain, such as example.com.').waitFor()
    await page.getByLabel('Domain of the brand').fill('acme.example')
    await page.keyboard.press('Enter')

    // Nothing answers at acme.example: the page says so, and goes on by hand.
    await page.getByRole('heading', { name: 'What is the brand called?' }).waitFor()
    await page.getByText('The site could not be read').waitFor({ timeout: 120_000 })
    await expectSound(tab, 'setup-brand')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('combobox', { name: 'Other names' }).fill('Acme Anvils')
    await page.keyboard.press('Enter')
    const next = page.getByRole('button', { name: 'Continue' })
    await next.click()
    await page.getByLabel('Competitor', { exact: true }).fill('bolt.example')
    await page.keyboard.press('Tab')
    await page.getByLabel('Competitor', { exact: true }).fill('Bolt')
    await page.getByRole('button', { name: 'Add competitor' }).click()
    await page.getByRole('button', { name: 'Remove Bolt' }).waitFor()
    await next.click()
    await page.getByRole('heading', { name: 'Which questions should we ask?' }).waitFor()
    // Who leaves goes on where the project is, in another tab too.
    const setup = page.url().replace(/\/prompts$/, '')
    const other = await page.context().newPage()
    await other.goto(setup)
    await other.getByRole('heading', { name: 'Which questions should we ask?' }).waitFor()
    await other.close()
    await page
      .getByLabel('Add your own, one per line')
      .fill('Which anvils last?\nWhich anvils are light?')
    await next.click()
    await page.getByText('2 prompts added').waitFor()
    await page.getByText('Waiting for the first answers').waitFor()
    await expectSound(tab, 'setup-data')
    await page.setViewportSize({ width: 1440, height: 900 })
    await nav('Settings')
    const names = await cellsOf(page, 'Names and what they find')
    expect(names.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Acme', 'Acme Anvils', 'acme.example', 'Bolt']),
    )
    await page.getByRole('tab', { name: 'Competitors' }).click()
    expect(await cellsOf(page, 'Competitors')).toEqual([['Bolt', 'bolt.example', '', 'Remove']])

    await nav('Imports')
    await page.getByLabel('File', { exact: true }).setInputFiles(answers)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 rows read: 2 imported, 0 already there or not needed.').waitFor()
    const [imported] = await cellsOf(page, 'Import history')
    expect(imported?.slice(1, 8)).toEqual([
      'Answers',
      'peec-chats.json',
      '10 May 2025 to 11 May 2025',
      '2',
      '2',
      '0',
      'Active',
    ])

    // The site sends one request of a crawler, with what the page shows.
    await nav('Settings')
    await page.getByRole('tab', { name: 'Tracking' }).click()
    await page.getByRole('button', { name: 'Create ingest key' }).click()
    await page.getByRole('status').locator('code').waitFor()
    await page.getByRole('button', { name: 'Show the code' }).click()
    const shown = (await page.getByText('SIGHTLINE_SITE_TOKEN=st_').textContent()) ?? ''
    const environment = Object.fromEntries(
      [...shown.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    const sender = new Sender({ environment })
    const url = 'https://acme.example/anvils'
    sender.send({ method: 'GET', url, status: 200, userAgent: gptBot })
    await sender.flush()
    expect(sender.counts).toMatchObject({ sent: 1, kept: 1 })
    await page.getByText('Your site is connected').waitFor()
    await nav('AI traffic')
    await page.getByRole('rowheader', { name: 'GPTBot' }).waitFor()
    const [crawler] = await cellsOf(page, 'Crawlers')
    expect(crawler?.slice(0, 4)).toEqual(['GPTBot', 'OpenAI', 'AI training', '1'])

    await nav('Overview')
    await page.getByRole('button', { name: 'Show the last 30 days with answers' }).click()
    const figure = (name: string) => page.getByRole('listitem', { name, exact: true })
    await figure('Visibility').getByText('Mentioned in 1 of 2 answers').waitFor()
    await figure('Visibility').getByText('50.0%', { exact: true }).waitFor()
    await figure('Share of voice').getByText('50.0% of mentions').waitFor()
    await nav('Prompts')
    await page.getByText('No answers 1', { exact: true }).click()
    await page.getByText('1 of 1 prompt', { exact: true }).waitFor()
    const [unanswered] = await cellsOf(page, 'Prompts')
    expect(unanswered?.[0]).toBe('Which anvils are light?')

    await nav('Reports')
    await page.getByLabel('Title').fill('Our first report')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Share: Our first report' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
    const link = page.getByRole('link', { name: /: Open Our first report$/ })
    const shared = (await link.getAttribute('href')) ?? ''
    expect(shared).toContain(`${service.url}/share/`)

    // Another browser, which has no session.
    const stranger = await browser.open(shared)
    await stranger.page.getByRole('heading', { name: 'Our first report' }).waitFor()
    const text = await stranger.page.locator('main').textContent()
    expect(text).toContain('50.0%')
    expect(text).toMatch(/1 of 2/)
    expect(await stranger.page.evaluate('sessionStorage.length')).toBe(0)

    // The page of a second project leads back to the first.
    await page.getByRole('button', { name: 'Project: Acme' }).click()
    await page.getByRole('option', { name: 'New project' }).click()
    await page.getByRole('heading', { name: 'New project' }).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('No answers in this date range').waitFor()
    expect(tab.faults).toEqual([])
    expect(tab.outside).toEqual([])
  }, 240_000)
})
