import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saying, useProviders } from '../kit/collecting/provider.ts'
import { root } from '../kit/repository.ts'
import { startService, type TestService } from '../kit/service.ts'
import { startSmallSite } from '../kit/small-site.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'

/** The first hour with an empty folder: everything that a team sets up, in browsers alone. */

const providers = await useProviders()
const site = await startSmallSite()
const browser = useBrowser()
let service: TestService

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title>
  <meta property="og:site_name" content="Acme"><meta name="description" content="Anvils that last."></head>
  <body><nav><a href="/light-anvils">Light anvils</a></nav><main>${body}</main></body></html>`

beforeAll(async () => {
  site.pages.set('/', html('Acme', '<h1>Anvils</h1>'))
  site.pages.set('/light-anvils', html('Light anvils', '<h2>How heavy is a light anvil?</h2>'))
  await ensureDashboard()
  const hosts = `${providers.hosts},${site.allowed}`
  const env = { SIGHTLINE_DEMO: '0', ALLOW_PRIVATE_HOSTS: hosts }
  service = await startService({ env })
}, 300_000)
afterAll(async () => {
  await service.stop()
  await site.close()
})

const answers = join(root, 'test/fixtures/answers/peec-chats.json')
const isChecked = (line: Locator) => line.getByRole('checkbox').isChecked()

/** What a button copies. */
async function copied(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button.click()
  return page.evaluate('navigator.clipboard.readText()')
}

describe.skipIf(lacksChromium)('the first hour', () => {
  test('leads from a sign-in link to a team that reads reports, without a terminal', async () => {
    providers.always(saying('Acme is great.'))
    const tab = await browser.open(`${service.url}/#code=${service.codes.dashboard}`)
    const { page } = tab
    const nav = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

    await page.getByRole('heading', { name: 'New project' }).waitFor()
    await page.getByLabel('Brand', { exact: true }).fill('Acme')
    await page.getByLabel('Domain of the brand').fill('shop.test')
    await button('Create project').click()
    await page.getByText('2 pages of shop.test read.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Anvils that last.')
    await button('Continue').click()
    await page.getByLabel('Competitor', { exact: true }).fill('Bolt')
    await page.getByLabel('Its domain').fill('bolt.example')
    await button('Add competitor').click()
    await button('Remove Bolt').waitFor()
    await button('Continue').click()
    const proposed = page.getByRole('list', { name: 'Prompts' }).getByRole('listitem')
    const question = proposed.filter({ hasText: 'How heavy is a light anvil?' })
    await question.waitFor()
    const proposals = await proposed.count()
    expect(await isChecked(question)).toBe(true)
    await page.getByLabel('Track: What is Acme known for?').uncheck()
    await button('Edit: What are the best light anvils?').click()
    await page.getByLabel('Text of the prompt').fill('Which light anvils are best?')
    await page.keyboard.press('Enter')
    await button('Continue').click()
    await page.getByText(`${proposals - 1} prompts added`).waitFor()
    await page.getByText('Waiting for the first answers').waitFor()
    const overview = page.url().replace('/setup/data', '/overview')

    // Thirty prompts of a file, of which one is tracked already.
    await nav('Prompts')
    await button('Add prompts').click()
    const dialog = page.getByRole('dialog', { name: 'Add prompts' })
    await dialog.getByRole('tab', { name: 'CSV or Excel file' }).click()
    const lines = Array.from({ length: 29 }, (_, n) => `Which anvil is number ${n}?,Numbers`)
    const csv = ['Prompt,Topic', 'which LIGHT anvils are best,', ...lines].join('\n')
    const file = { name: 'prompts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('button', { name: 'Add 29 prompts' }).click()
    await page.getByText('29 prompts added, 1 already there').waitFor()

    await nav('Imports')
    await page.getByLabel('File', { exact: true }).setInputFiles(answers)
    await button('Import').click()
    await page.getByText('2 rows read: 2 imported, 0 already there or not needed.').waitFor()

    await nav('Data collection')
    await button('Add a key').click()
    const form = page.getByRole('dialog', { name: 'Add a provider key' })
    await form.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Perplexity' }).click()
    await form.getByRole('button', { name: 'More settings' }).click()
    await form.getByLabel('Address of the API').fill(providers.baseUrl('perplexity'))
    await form.getByLabel('API key', { exact: true }).fill('sk-1234567890')
    await form.getByRole('button', { name: 'Test and save' }).click()
    await button('New schedule').click()
    const schedule = page.getByRole('dialog', { name: 'New schedule' })
    // All of the file, of the import and of the proposals: each question once.
    const prompts = proposals - 1 + 29 + 1
    await schedule
      .getByText(new RegExp(`^${prompts} prompts: ${prompts} answers per run`))
      .waitFor()
    await schedule.getByRole('button', { name: 'Create' }).click()
    await button('Run now: Daily').click()
    const status = page.getByRole('listitem', { name: 'Status', exact: true })
    await status.getByText(`: ${prompts} of ${prompts} answers`).waitFor()
    await page.goto(overview)
    const visibility = page.getByRole('listitem', { name: 'Visibility', exact: true })
    await visibility.getByText(`Mentioned in ${prompts} of ${prompts} answers`).waitFor()

    await nav('Settings')
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByLabel('E-mail').fill('ann@acme.test')
    await page.getByLabel('Role', { exact: true }).selectOption('Viewer')
    await button('Invite').click()
    const link = await copied(page, button('Copy link: ann@acme.test'))
    const ann = await browser.open(link)
    await ann.page.getByLabel('Choose a password').fill('a long password of Ann')
    await ann.page.getByRole('button', { name: 'Join with this password' }).click()
    await ann.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await ann.page.goto(overview.replace('/overview', '/prompts'))
    await ann.page.getByRole('table', { name: 'Prompts' }).waitFor()
    expect(await ann.page.getByRole('button', { name: 'Add prompts' }).count()).toBe(0)

    await nav('Reports')
    await page.getByLabel('Title').fill('Our first report')
    await button('Create').click()
    await button('Share: Our first report').click()
    const share = page.getByRole('dialog')
    await share.getByLabel('The link ends').selectOption('7')
    await share.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText(/^Until /).waitFor()
    const shared = await copied(page, button('Copy link: Our first report'))
    const stranger = await browser.open(shared)
    await stranger.page.getByRole('heading', { name: 'Our first report' }).waitFor()
    await button('Revoke link: Our first report').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click()
    await button('Share: Our first report').waitFor()
    await expect.poll(async () => (await fetch(shared)).status).toBe(404)

    await nav('Settings')
    await page.getByRole('tab', { name: 'API keys' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Spreadsheet')
    await button('Create key').click()
    const key = (await page.getByRole('status').locator('code').textContent()) ?? ''
    const reads = async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = '{"query":"{ projects { nodes { name } } }"}'
      return (await fetch(`${service.url}/graphql`, { method: 'POST', headers, body })).status
    }
    expect(await reads()).toBe(200)
    await button(/^Revoke: Spreadsheet/).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(reads).toBe(401)

    // Each page by its address in another tab, again after a reload, and by the way back.
    const menu = page.getByRole('navigation').getByRole('link')
    const paths = await menu.evaluateAll((links) => links.map((each) => each.getAttribute('href')))
    expect(paths).toHaveLength(13)
    const other = await page.context().newPage()
    const title = () => other.getByRole('heading', { level: 1 }).textContent()
    let before: { readonly url: string; readonly title: string | null } | undefined
    for (const path of paths) {
      await other.goto(service.url + path)
      await other.getByRole('heading', { level: 1 }).waitFor()
      const now = { url: other.url(), title: await title() }
      await other.reload()
      await other.getByRole('heading', { level: 1, name: now.title ?? '' }).waitFor()
      expect(other.url()).toBe(now.url)
      if (before) {
        await other.goBack()
        await other.getByRole('heading', { level: 1, name: before.title ?? '' }).waitFor()
        expect(other.url()).toBe(before.url)
        await other.goForward()
      }
      before = now
    }
    expect(tab.faults).toEqual([])
    expect(tab.outside).toEqual([])
  }, 600_000)
})
