import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { addCompetitor } from '../../resolvers/competitors/change.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { cellsOf, csvOf } from './dashboard-page.ts'

const documents = JSON.parse(
  readFileSync(new URL('../../dashboard/persisted-documents.json', import.meta.url), 'utf8'),
) as Record<string, string>

/** The documents that read whole lists, by name. */
const wholeLists = Object.values(documents).flatMap((text) => {
  const name = /query (All\w+)/.exec(text)?.[1]
  return name ? [[name, text] as const] : []
})

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
    const { page } = await open('settings/competitors')
    const { name, head, lines } = await csvOf(page, 'Competitors')
    expect([name, head, lines]).toEqual([
      'competitors.csv',
      '\ufeffName,Domain,Other names',
      ["'=SUM(1),sum.example,"],
    ])
  })

  test.each(wholeLists)('%s is within the cost of a document', async (_name, query) => {
    const variables = { project, domain: 'acme.com', window: { days: 365 }, after: null }
    const reply = await api.graphql(query, key, variables)
    const { errors = [] } = (await reply.json()) as { errors?: { extensions: { code: string } }[] }
    const codes = errors.map(({ extensions }) => extensions.code)
    const absent = ['traffic_not_connected', 'gsc_not_connected']
    expect(codes.filter((code) => !absent.includes(code))).toEqual([])
  })

  test('shows a change of others without a reload, also where its first stream was lost', async () => {
    const { page } = await open('settings/competitors')
    // Signed in, so that a reload finds the session.
    await page.getByRole('button', { name: 'Remove: =SUM(1)' }).waitFor()
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

  test('creates an API key with the chosen rights, shows it once, and revokes it', async () => {
    const { page, faults } = await open('settings/keys')
    const part = page.getByRole('region', { name: 'API keys', exact: true })
    await part.getByLabel('Name').fill('Sheets')
    await part.getByLabel('Access').selectOption({ label: 'Read' })
    await part.getByLabel('Projects').selectOption({ label: 'This project' })
    await part.getByLabel('Expires after').selectOption({ label: '90 days' })
    await part.getByRole('button', { name: 'Create key' }).click()
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
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(async () => (await api.get('/api/mcp/projects', secret)).status).toBe(401)
    const rows = await cellsOf(page, 'API keys')
    const found = rows.find(([name]) => name === named)
    expect(found?.slice(2, 4)).toEqual(['Acme', 'Read'])
    expect(faults).toEqual([])
  })
})
