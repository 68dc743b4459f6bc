import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { addCompetitor } from '../../resolvers/competitors/change.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf } from '../kit/web/dashboard-page.ts'

/** What all pages share: files of tables, changes of others, keys. */

const api = useApi()
const browser = useBrowser()
let workspace: TestWorkspace
let project = ''
let key = ''

beforeAll(async () => {
  await ensureDashboard()
  workspace = await api.workspace()
  project = await workspace.project({
    competitors: [{ name: '=SUM(1)', domain: 'sum.example' }],
  })
  key = (await workspace.key({ scopes: ['read', 'write', 'admin'] })).key
})

const open = (page: string, as = key) =>
  browser.open(`${api.url}/projects/${project}/${page}#key=${as}`)

describe.skipIf(lacksChromium)('a page', () => {
  test('saves its rows as CSV, which no spreadsheet calculates', async () => {
    const { page } = await open('settings')
    const button = page.getByRole('button', { name: 'CSV: Competitors' })
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
    expect(saved.suggestedFilename()).toBe('competitors.csv')
    expect(await readFile(await saved.path(), 'utf8')).toBe(
      "\ufeffName,Domain,Other names\r\n'=SUM(1),sum.example,\r\n",
    )
  })

  test('shows a change of others without a reload, also where its first stream was lost', async () => {
    const { page } = await open('settings')
    let streams = 0
    await page.route('**/graphql', (route) => {
      const isStream = route.request().headers().accept === 'text/event-stream'
      return isStream && streams++ === 0 ? route.abort() : route.fallback()
    })
    await page.reload()
    await page.getByRole('button', { name: 'Remove: =SUM(1)' }).waitFor()
    await expect.poll(() => streams).toBe(2)
    const add = (name: string, domain: string) =>
      addCompetitor(api.db, commandLine, project, { name, domain })
    await add('Bolt', 'bolt.example')
    await page.getByRole('button', { name: 'Remove: Bolt' }).waitFor()
    await add('Nutt', 'nutt.example')
    await page.getByRole('button', { name: 'Remove: Nutt' }).waitFor()
  })

  test('makes an API key with the chosen rights, shows it once, and revokes it', async () => {
    const { page, faults } = await open('settings')
    const part = page.locator('section.part', {
      has: page.getByRole('heading', { name: 'API keys', exact: true }),
    })
    await part.getByLabel('Name').fill('Sheets')
    await part.getByLabel('May').selectOption({ label: 'read' })
    await part.getByLabel('Reads').selectOption({ label: 'this project' })
    await part.getByLabel('Works for').selectOption({ label: '90 days' })
    await part.getByRole('button', { name: 'Make an API key' }).click()
    const secret = (await part.locator('code').textContent()) ?? ''
    expect(secret).toMatch(/^sgl_/)
    const stored = await api.db.apiKey.findFirstOrThrow({ where: { projectId: project } })
    expect([stored.name, stored.scopes]).toEqual(['Sheets', ['read']])
    const left = (Number(stored.expiresAt) - Date.now()) / 86_400_000
    expect(Math.round(left)).toBe(90)
    expect((await api.get('/api/mcp/projects', secret)).status).toBe(200)
    await page.reload()
    const named = `Sheets …${secret.slice(-4)}`
    await page.getByRole('rowheader', { name: named }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: `Revoke: ${named}` }).click()
    await expect.poll(async () => (await api.get('/api/mcp/projects', secret)).status).toBe(401)
    const rows = await cellsOf(page, 'API keys')
    const found = rows.find(([name]) => name === named)
    expect(found?.slice(2, 4)).toEqual(['Acme', 'read'])
    expect(faults).toEqual([])
  })
})
