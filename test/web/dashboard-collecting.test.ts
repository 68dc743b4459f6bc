import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { refusing, saying, useProviders } from '../kit/collecting/provider.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'
import { cellsOf, expectSound } from './dashboard-page.ts'

const providers = await useProviders()
const api = useApi({ ALLOW_PRIVATE_HOSTS: providers.hosts }, undefined, { ownDatabase: true })
const browser = useBrowser()
let worker: TestWorker
let workspace: TestWorkspace
let project = ''
let admin = ''
const ask = asking(api, () => admin)

beforeAll(async () => {
  await ensureDashboard()
  worker = await startTestWorker(api)
}, 300_000)

beforeEach(async () => {
  workspace = await api.workspace()
  project = await workspace.project({ domain: 'acme.com' })
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

const open = (page: string) => browser.open(`${api.url}/projects/${project}/${page}#key=${admin}`)

describe.skipIf(lacksChromium)('data collection', () => {
  beforeEach(async () => {
    const texts = ['best anvils?', 'best bolts?'].map((text) => `{ text: "${text}" }`)
    await ask(
      `mutation { addPrompts(projectId: "${project}", prompts: [${texts}]) { __typename } }`,
    )
    providers.next()
    providers.always(saying('Acme is great.'))
    await ask(
      `mutation { setProviderKey(workspaceId: "${workspace.id}", provider: perplexity, secret: "sk-1234567890", baseUrl: "${providers.baseUrl('perplexity')}") { providerKey { id } } }`,
    )
  })

  test('a schedule is created, run, watched, edited, paused and deleted', async () => {
    const { page, ...rest } = await open('data-collection')
    await page.getByRole('button', { name: 'New schedule' }).click()
    const form = page.getByRole('dialog', { name: 'New schedule' })
    await form.getByLabel('Name').fill('Workdays')
    await form.getByLabel('Sat').uncheck()
    await form.getByLabel('Sun').uncheck()
    await form.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await form.getByLabel('Answers per prompt and platform').fill('2')
    await form.getByText(/^2 prompts: 4 answers per run, about \$/).waitFor()
    await form.getByText(/^2[012] runs in 30 days: about \$/).waitFor()
    await form.getByRole('button', { name: 'Create' }).click()
    const [made] = await cellsOf(page, 'Schedules')
    // Two prompts, twice.
    expect([made?.[0], made?.[1], made?.[2], made?.[5]]).toEqual([
      'Workdays',
      'Weekdays at 6:00, Europe/Berlin',
      'Active',
      '4',
    ])
    providers.next(refusing(404))
    await page.getByRole('button', { name: 'Run now: Workdays' }).click()
    await worker.idle()
    await page.getByRole('table', { name: 'Runs' }).getByText('Done').waitFor()
    const [run] = await cellsOf(page, 'Runs')
    // Three replies at $0.006, by the provider's own figure.
    expect(run?.slice(1, 8)).toEqual(['Workdays', 'Done', '4 of 4', '3', '0', '1', '$0.02'])
    const figure = (name: string) => page.getByRole('listitem', { name, exact: true })
    await figure('Status').getByText('Needs attention').waitFor()
    await figure('Status').getByText('Perplexity refuses its key').waitFor()
    await figure('Today').getByText('$0.02', { exact: true }).waitFor()
    await figure('Today').getByText('No spending limit').waitFor()
    await expect
      .poll(() => cellsOf(page, 'Answers by provider'))
      .toEqual([['Perplexity', '4', '3', '0', '1']])
    await page.getByText(/: \$0\.02 for 4 answers$/).waitFor()
    await expectSound({ page, ...rest }, 'data-collection')
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('link', { name: /^1 of 4 questions failed in the run of / }).click()
    await page.getByRole('button', { name: /^Ask 1 again: / }).click()
    await worker.idle()
    await figure('Status').getByText('All well').waitFor()
    await expect.poll(async () => (await cellsOf(page, 'Runs'))[0]?.[4]).toBe('4')
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Options: Workdays' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Edit')
    const edit = page.getByRole('dialog', { name: 'Edit Workdays' })
    await edit.getByLabel('Sat').check()
    await edit.getByText('Chosen', { exact: true }).click()
    await edit.getByRole('combobox', { name: 'Chosen prompts' }).fill('bolts')
    await page.getByRole('option', { name: 'best bolts?' }).click()
    await edit.getByText(/^1 prompt: 2 answers per run/).waitFor()
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    await choose('Pause')
    await figure('Status').getByText('All schedules are paused').waitFor()
    const stored = await api.db.schedule.findFirstOrThrow({ where: { projectId: project } })
    expect(stored).toMatchObject({
      enabled: false,
      cron: '0 6 * * 1,2,3,4,5,6',
      timeZone: 'Europe/Berlin',
      repetitions: 2,
      spreadMinutes: 0,
    })
    expect(stored.promptIds).toHaveLength(1)
    await choose('Delete')
    await page.getByText(/^No schedule yet\. /).waitFor()
  })

  test('a key is tested, replaced and removed', async () => {
    const { page } = await open('data-collection')
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Options: perplexity' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    providers.next(refusing(401))
    await page.getByRole('button', { name: 'Test: perplexity' }).click()
    await page.getByText(/^Refused since /).waitFor()
    await choose('Replace the key')
    const form = page.getByRole('dialog', { name: 'Replace the key of Perplexity' })
    await expect
      .poll(() => form.getByLabel('Address of the API').inputValue())
      .toBe(providers.baseUrl('perplexity'))
    await form.getByLabel('API key', { exact: true }).fill('sk-0987654321')
    await form.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText(/^Works, last used /).waitFor()
    await choose('Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText(/^No provider key yet\. /).waitFor()
    expect(await api.db.providerKey.count({ where: { workspaceId: workspace.id } })).toBe(0)
  })

  test('limits are set and removed', async () => {
    const { page } = await open('data-collection')
    const limits = page.getByRole('region', { name: 'Spending limits' })
    const today = page.getByRole('listitem', { name: 'Today', exact: true })
    await limits.getByLabel('Limit per day, $').fill('1.5')
    await limits.getByRole('button', { name: 'Save' }).click()
    await today.getByText('$0.00 of $1.50').waitFor()
    await limits.getByLabel('Limit per day, $').fill('')
    await limits.getByRole('button', { name: 'Save' }).click()
    await today.getByText('No spending limit').waitFor()
  })
})

describe.skipIf(lacksChromium)('imports', () => {
  const line = (n: number, more = {}) =>
    JSON.stringify({
      prompt: `prompt ${n}`,
      platform: 'chatgpt',
      collectedAt: '2025-06-10T08:00:00Z',
      text: 'Acme is great.',
      ...more,
    })
  const file = (text: string, name = 'answers.jsonl') => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  })

  test('a file is shown, imported with what was rejected, and undone after a question', async () => {
    const { page, ...rest } = await open('imports')
    await page.getByText('Nothing was imported yet.').waitFor()
    const lines = [line(1), line(2), line(3, { citations: [{ url: 7 }] }), line(1)]
    await page.getByLabel('File', { exact: true }).setInputFiles(file(lines.join('\n')))
    const check = page.getByRole('region', { name: 'answers.jsonl' })
    await check.getByText('4 rows read, 3 of them can be imported.').waitFor()
    await check.getByText('Line 3: “citations 1, url” must be a text; got “7”.').waitFor()
    expect((await cellsOf(page, 'First rows'))[0]?.slice(0, 4)).toEqual([
      '1',
      'prompt 1',
      'chatgpt',
      '2025-06-10 08:00',
    ])
    await expectSound({ page, ...rest }, 'imports-check')
    await check.getByRole('button', { name: 'Import' }).click()
    await page.getByText('4 rows read: 2 imported, 1 already there or not needed.').waitFor()
    await page.getByText(/^Line 3: /).waitFor()
    await page.getByRole('link', { name: 'See your report' }).waitFor()
    const [row] = await cellsOf(page, 'Import history')
    expect(row?.slice(1, 8)).toEqual([
      'Answers',
      'answers.jsonl',
      '10 June 2025',
      '4',
      '2',
      '1',
      'Active',
    ])
    await expectSound({ page, ...rest }, 'imports')
    await page.getByRole('button', { name: 'Undo: answers.jsonl' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo: answers.jsonl' })
    await dialog.getByText('This removes the 2 answers that answers.jsonl added').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: 'Undone' }).waitFor()
    const answer = await ask(`{ project(id: "${project}") { answers { totalCount } } }`)
    expect(answer.data.project).toEqual({ answers: { totalCount: 0 } })
  })

  test('a large file goes in parts, whose lines count through the file', async () => {
    // Nine megabytes: two parts of whole lines.
    const text = 'Acme is “great”. '.repeat(4000)
    const lines = Array.from({ length: 135 }, (_, n) => line(n, { text: `${n} ${text}` }))
    lines[120] = '{"prompt":"no text"}'
    const { page } = await open('imports')
    await page.getByLabel('File', { exact: true }).setInputFiles(file(lines.join('\n')))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('135 rows read: 134 imported, 0 already there or not needed.').waitFor()
    await page.getByText(/^Line 121: /).waitFor()
    expect((await cellsOf(page, 'Import history')).map((row) => row[2])).toEqual([
      'answers.jsonl (2)',
      'answers.jsonl',
    ])
  })

  test('a table that may be several things is asked about, and then read', async () => {
    const { page } = await open('imports')
    const table = file('Frage;Thema\nWelcher Amboss?;Ambosse\n', 'fragen.csv')
    await page.getByLabel('File', { exact: true }).setInputFiles(table)
    await page.getByText('What is in fragen.csv?').waitFor()
    await page.getByRole('radio', { name: 'Prompts' }).check()
    await page.getByRole('combobox', { name: 'fragen.csv has' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const pdf = file('%PDF-1.7', 'report.pdf')
    await page.getByLabel('File', { exact: true }).setInputFiles(pdf)
    await page.getByRole('alert').filter({ hasText: 'CSV' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Nothing was imported yet.').waitFor()
  })
})

describe.skipIf(lacksChromium)('settings', () => {
  test('name the brand and its competitors, and say why they refuse a wrong domain', async () => {
    await workspace.load(project, [{ text: 'We like Acme a lot.' }])
    const { page, ...rest } = await open('overview')
    await page.getByRole('link', { name: 'Settings' }).click()
    const [own] = await cellsOf(page, 'Names and what they find')
    expect(own).toEqual(['Acme', 'Acme', 'Exact case', '1', '0', 'We like Acme a lot.', ''])
    await page.getByLabel('Another name of the brand').fill('Acme Corp')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Remove: Acme Corp' }).waitFor()
    await page.getByRole('tab', { name: 'Competitors' }).click()
    await page.getByText('No competitor yet.').waitFor()
    await page.getByLabel('Name').fill('Bolt')
    await page.getByLabel('Domain').fill('no domain')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('alert').getByText('Must be a domain, such as example.com.').waitFor()
    expect(await api.db.competitor.count({ where: { projectId: project } })).toBe(0)
    await page.getByLabel('Domain').fill('bolt.io')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Remove: Bolt' }).click()
    await page.getByText('No competitor yet.').waitFor()
    expect(rest.outside).toEqual([])
  })

  test('show an ingest key once, code that sends with it, and who changed what', async () => {
    const { page, ...rest } = await open('settings/tracking')
    await page.getByRole('button', { name: 'Create ingest key' }).click()
    const secret = (await page.getByRole('status').locator('code').textContent()) ?? ''
    expect(secret.length).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Show the code' }).click()
    const environment = await page.getByText('SIGHTLINE_SITE_TOKEN=st_').textContent()
    expect(environment).toContain(`SIGHTLINE_INGEST_KEY=${secret}`)
    await page.getByRole('combobox', { name: 'Server' }).click()
    await page.getByRole('option', { name: 'Fastify' }).click()
    await page.getByText('app.register(sightline(new Sender()))').waitFor()
    await expectSound({ page, ...rest }, 'settings-tracking')
    await page.reload()
    await page
      .getByRole('button', { name: /^Revoke: / })
      .first()
      .waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Withdraw: ada@example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('rowheader', { name: 'ada@example.com' }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Audit trail' }).click()
    const trail = await cellsOf(page, 'Audit trail')
    expect(trail.length).toBeGreaterThanOrEqual(3)
    expect(rest.faults).toEqual([])
  })

  test('show a key that only reads the names, and why the rest is missing', async () => {
    const { key } = await workspace.key({ scopes: ['read'] })
    const { page } = await browser.open(`${api.url}/projects/${project}/settings#key=${key}`)
    await page.getByRole('table', { name: 'Names and what they find' }).waitFor()
    await page.getByRole('tab', { name: 'Members' }).waitFor()
    expect(await page.getByRole('tab', { name: 'API keys' }).count()).toBe(0)
    await page.goto(`${api.url}/projects/${project}/settings/keys`)
    await page.getByText('Only owners of the workspace see this.').waitFor()
  })
})
