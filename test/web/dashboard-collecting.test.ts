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

describe.skipIf(lacksChromium)('collecting', () => {
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

  test('a schedule is made, run, watched and switched off', async () => {
    const { page, ...rest } = await open('collecting')
    await page.getByText('No schedule asks the prompts of this project.').waitFor()
    await page.getByLabel('Name').fill('Workdays')
    await page.getByLabel('When').selectOption({ label: 'On workdays at 6:00' })
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByLabel('Times each prompt is asked').fill('2')
    await page.getByRole('button', { name: 'Make it' }).click()
    const [made] = await cellsOf(page, 'Schedules')
    // Two prompts, twice.
    expect([made?.[0], made?.[1], made?.[4]]).toEqual([
      'Workdays',
      '0 6 * * 1-5, Europe/Berlin',
      '4',
    ])
    providers.next(refusing(404))
    await page.getByRole('button', { name: 'Run now: Workdays' }).click()
    await worker.idle()
    await page.getByRole('region', { name: 'Runs' }).getByText('done').waitFor()
    const [run] = await cellsOf(page, 'Runs')
    // Three replies at $0.006, by the provider's own figure.
    expect(run?.slice(1)).toEqual(['Workdays', 'done', '4 of 4', '3', '0', '1', '$0.018'])
    await page.getByText('$0.018, without a cap').first().waitFor()
    await expect
      .poll(() => cellsOf(page, 'Providers in this window'))
      .toEqual([['perplexity', '4', '3', '0', '1']])
    await page.getByText(/: 4 questions for \$0\.018\.$/).waitFor()
    await page.getByRole('button', { name: 'Switch off: Workdays' }).click()
    await page.getByRole('button', { name: 'Switch on: Workdays' }).waitFor()
    const stored = await api.db.schedule.findFirstOrThrow({ where: { projectId: project } })
    expect(stored).toMatchObject({ enabled: false, timeZone: 'Europe/Berlin', repetitions: 2 })
    await expectSound({ page, ...rest }, 'collecting')
    await page.getByRole('link', { name: 'Standing' }).click()
    await page.getByRole('link', { name: /^The run of .* failed for 1 of 4 questions\.$/ }).click()
    await page.getByRole('heading', { name: 'Whom do we ask, and what does it cost?' }).waitFor()
  })

  test('caps are set and removed, and a refused change says why', async () => {
    const { page } = await open('collecting')
    await page.getByLabel('Cap of a day, $').fill('1.5')
    await page.getByRole('button', { name: 'Set the caps' }).click()
    await page.getByText('$0.00 of $1.50').waitFor()
    await page.getByLabel('Cap of a day, $').fill('')
    await page.getByRole('button', { name: 'Set the caps' }).click()
    await page.getByText('$0.00, without a cap').first().waitFor()
    await page.getByLabel('Name').fill('Nowhere')
    await page.getByLabel('Time zone').fill('Mars/Olympus')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('alert').getByText('timeZone').waitFor()
    expect(await api.db.schedule.count({ where: { projectId: project } })).toBe(0)
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

  test('a file is imported, with what was rejected, and undone', async () => {
    const { page, ...rest } = await open('imports')
    await page.getByText('Nothing was imported.').waitFor()
    await page
      .getByLabel('File')
      .setInputFiles(file([line(1), line(2), '{"prompt":"no text"}', line(1)].join('\n')))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('4 lines read: 2 loaded, 1 there already.').waitFor()
    await page.getByText(/^Line 3: /).waitFor()
    const [row] = await cellsOf(page, 'Imports of this project')
    expect(row?.slice(1, 8)).toEqual([
      'answers',
      'a request',
      '10 June 2025',
      '4',
      '2',
      '1',
      'stands',
    ])
    await expectSound({ page, ...rest }, 'imports')
    await page.getByRole('button', { name: /^Undo: / }).click()
    await page.getByRole('button', { name: /^Undo it: its rows go: / }).click()
    await page.getByRole('cell', { name: 'undone' }).waitFor()
    const answer = await ask(`{ project(id: "${project}") { answers { totalCount } } }`)
    expect(answer.data.project).toEqual({ answers: { totalCount: 0 } })
  })

  test('a large file goes in parts, whose lines count through the file', async () => {
    // Three megabytes: two parts of whole lines.
    const text = 'Acme is “great”. '.repeat(4000)
    const lines = Array.from({ length: 45 }, (_, n) => line(n, { text: `${n} ${text}` }))
    lines[40] = '{"prompt":"no text"}'
    const { page } = await open('imports')
    await page.getByLabel('File').setInputFiles(file(lines.join('\n')))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('45 lines read: 44 loaded, 0 there already.').waitFor()
    await page.getByText(/^Line 41: /).waitFor()
    expect(await cellsOf(page, 'Imports of this project')).toHaveLength(2)
  })

  test('what is no answers is refused, and changes nothing', async () => {
    const { page } = await open('imports')
    await page.getByLabel('File').setInputFiles(file('%PDF-1.7', 'report.pdf'))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'CSV' }).waitFor()
    await page.getByText('Nothing was imported.').waitFor()
  })
})

describe.skipIf(lacksChromium)('settings', () => {
  test('from an empty project to its own report by clicks', async () => {
    const { page, ...rest } = await open('standing')
    await page.getByRole('link', { name: 'Check the names of the brand' }).click()
    await page.getByLabel('Another name of the brand').fill('Acme Corp')
    await page.getByRole('button', { name: 'Add' }).first().click()
    await page.getByRole('button', { name: 'Remove: Acme Corp' }).waitFor()
    await page.getByRole('region', { name: 'Names and what they find' }).waitFor()
    const competitors = page.locator('section.part', {
      has: page.getByRole('heading', { name: 'Competitors', exact: true }),
    })
    await competitors.getByLabel('Name').fill('Bolt')
    await competitors.getByLabel('Domain').fill('bolt.io')
    await competitors.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Remove: Bolt' }).waitFor()
    await page.getByLabel('Prompts', { exact: true }).fill('best anvils?\n\n  best bolts? ')
    await page
      .locator('section.part', { has: page.getByRole('heading', { name: 'Add prompts' }) })
      .getByRole('button', { name: 'Add' })
      .click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '')
    const texts = await api.db.prompt.findMany({ where: { projectId: project } })
    expect(texts.map(({ text }) => text).sort()).toEqual(['best anvils?', 'best bolts?'])
    await expectSound({ page, ...rest }, 'settings')

    await page.getByRole('link', { name: 'Imports' }).click()
    const collectedAt = new Date(Date.now() - 86_400_000).toISOString()
    const answer = (text: string, prompt: string) =>
      JSON.stringify({ prompt, platform: 'chatgpt', collectedAt, text })
    const lines = [
      answer('Acme Corp beats Bolt.', 'best anvils?'),
      answer('Bolt is good.', 'best bolts?'),
    ]
    await page.getByLabel('File').setInputFiles({
      name: 'answers.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 lines read: 2 loaded, 0 there already.').waitFor()
    await page.getByRole('link', { name: 'Standing' }).click()
    await page.getByText('1 of 2 answers name the brand.').waitFor()
    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('button', { name: 'Make it' }).click()
    await worker.idle()
    await page.getByRole('cell', { name: 'done' }).waitFor()
  })

  test('names show what they find, and a sender’s key is shown once', async () => {
    await workspace.load(project, [{ text: 'We like Acme a lot.' }])
    const { page, faults } = await open('settings')
    const [own] = await cellsOf(page, 'Names and what they find')
    expect(own).toEqual(['Acme', 'Acme', 'as it is written', '1', '0', 'We like Acme a lot.', ''])
    await page.getByRole('button', { name: 'Make a key' }).click()
    const secret = (await page.locator('code').textContent()) ?? ''
    expect(secret.length).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Show the code' }).click()
    const environment = await page.getByText('SIGHTLINE_SITE_TOKEN=st_').textContent()
    expect(environment).toContain(`SIGHTLINE_INGEST_KEY=${secret}`)
    await page.getByLabel('Server', { exact: true }).selectOption('Fastify')
    await page.getByText('app.register(sightline(new Sender()))').waitFor()
    await page.reload()
    await page
      .getByRole('button', { name: /^Revoke: / })
      .first()
      .waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Withdraw: ada@example.com' }).click()
    await page.getByText('ada@example.com').waitFor({ state: 'detached' })
    const trail = await cellsOf(page, 'Who changed what')
    expect(trail.length).toBeGreaterThanOrEqual(3)
    expect(faults).toEqual([])
  })

  test('a key that only reads sees the names, and why the rest is missing', async () => {
    const { key } = await workspace.key({ scopes: ['read'] })
    const { page } = await browser.open(`${api.url}/projects/${project}/settings#key=${key}`)
    await page.getByText('A key with the scope “admin” shows members, keys and changes.').waitFor()
    await page.getByRole('heading', { name: 'Names and what they find' }).waitFor()
  })
})
