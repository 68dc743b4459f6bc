import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { useApi } from '../kit/api.ts'
import { authorizeUrl, exchanged, newClient } from '../kit/oauth.ts'
import { seriousFindings } from '../kit/web/axe.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { freePort } from '../kit/web/free-port.ts'
import { expectNarrow } from './dashboard-page.ts'

const api = useApi({ PORT: String(await freePort()) })
const browser = useBrowser()
let project = ''
let userId = ''

beforeAll(async () => {
  await ensureDashboard()
  const workspace = await api.workspace()
  project = await workspace.project({ name: 'Northwind', domain: 'northwind.com' })
  const where = { workspaceId: workspace.id }
  userId = (await api.db.membership.findFirstOrThrow({ where })).userId
})

test.skipIf(lacksChromium)(
  'a person signs in on the way, sees where the client leads, allows it, and disconnects it',
  async () => {
    const client = await newClient(api)
    const program = createServer((_request, response) => response.end('connected'))
    await once(program.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void program.close())
    // A program on the computer may listen at another port than the one that it registered.
    const { port } = program.address() as AddressInfo
    const redirect = `http://127.0.0.1:${port}/callback`
    const address = authorizeUrl(api, client, { redirect_uri: redirect })
    const { page, faults } = await browser.open(address.href, [new URL(redirect).origin])
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const code = await makePageCode(api.db, { userId })
    const asking = page.url()
    await page.goto('about:blank')
    await page.goto(`${asking}#code=${code}`)
    await page.getByRole('heading', { name: 'Connect Claude' }).waitFor()
    await page.getByText('127.0.0.1', { exact: true }).waitFor()
    await page.getByText('A program on this computer asks.').waitFor()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1)
    expect(await seriousFindings(page)).toEqual([])
    await expectNarrow(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('combobox', { name: 'Projects' }).click()
    await page.getByRole('option', { name: 'Northwind (northwind.com)' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('connected').waitFor()
    const found = new URL(page.url()).searchParams.get('code') ?? ''
    expect((await exchanged(api, client, found, redirect)).status).toBe(200)

    await page.goto(`${api.url}/projects/${project}/settings/clients`)
    const row = page.getByRole('row', { name: /Claude.*127\.0\.0\.1.*Read.*Northwind/ })
    await row.waitFor()
    await page.getByText(`${api.url}/mcp`, { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await expectNarrow(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Revoke: Claude (127.0.0.1)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No AI client is connected yet.').waitFor()
    expect(faults.filter((fault) => !/\/favicon\.ico$/.test(fault))).toEqual([])
  },
)
