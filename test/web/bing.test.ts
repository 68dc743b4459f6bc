import { afterAll, beforeAll, expect, test } from 'vitest'
import { importSearchConsole } from '../../imports/analytics/search-console.ts'
import { makePageCode } from '../../resolvers/keys/page-codes.ts'
import { commandLine } from '../../resolvers/shared/audit-trail.ts'
import { useApi } from '../kit/api.ts'
import { bingDay, bingSites, bingWeek, startBing } from '../kit/bing.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { bytesOf } from '../kit/imports/web-analytics.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'
import { seriousFindings } from '../kit/web/axe.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { ensureDashboard } from '../kit/web/dashboard.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'
import { expectNarrow } from './dashboard-page.ts'

await clearOfMidnight(120_000)

const bing = await startBing()
const api = useApi({}, undefined, { ownDatabase: true, bingUrl: bing.url })
const browser = useBrowser()
let worker: TestWorker
let project = ''
let userId = ''

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

beforeAll(async () => {
  await ensureDashboard()
  worker = await startTestWorker(api)
  const workspace = await api.workspace()
  project = await workspace.project({ name: 'Northwind', domain: 'northwind.com' })
  const where = { workspaceId: workspace.id }
  userId = (await api.db.membership.findFirstOrThrow({ where })).userId
  const row = { keys: [day(4), 'tea', 'https://northwind.com/', 'usa', 'MOBILE'], position: 3 }
  await connectSource(api.db, project)
  await putHits(api.warehouse, project, [{ bot: 'GPTBot', at: `${day(1)}T10:00:00Z` }])
  const content = JSON.stringify({ rows: [{ ...row, clicks: 1, impressions: 2 }] })
  await importSearchConsole(api, commandLine, { projectId: project, bytes: bytesOf(content) })
  bing.answer({
    GetUserSites: bingSites('https://northwind.com/', 'https://bolt.com/'),
    GetRankAndTrafficStats: { body: { d: [bingDay(day(5), 5, 50), bingDay(day(4), 7, 60)] } },
    GetQueryStats: {
      body: {
        d: [bingWeek(day(3), 'anvil', [8, 80, 2]), bingWeek(day(10), 'anvil', [2, 20, 7])],
      },
    },
    GetPageStats: { body: { d: [bingWeek(day(3), 'https://northwind.com/a', [8, 110, 4])] } },
  })
})
afterAll(bing.close)

test.skipIf(lacksChromium)(
  'an owner pastes the key, chooses the site, and reads Bing beside Google, never added to it',
  async () => {
    const code = await makePageCode(api.db, { userId })
    const settings = `${api.url}/projects/${project}/settings/connections`
    const { page, faults } = await browser.open(`${settings}#code=${code}`)
    const key = page.getByLabel('API key', { exact: true })
    await key.fill('ffffffffffffffffffffffffffffffff')
    await page.getByRole('button', { name: 'Save key' }).click()
    await page.getByText('Bing does not know the API key').waitFor()
    await key.fill(bing.key)
    await page.getByRole('button', { name: 'Save key' }).click()
    await page.getByText('The key that ends with cdef works.').waitFor()
    await page.getByRole('button', { name: 'Choose a site' }).click()
    await page.getByRole('combobox', { name: 'Site of Bing' }).click()
    await page.getByRole('option', { name: 'https://northwind.com/' }).click()
    await page.getByRole('button', { name: 'Load data' }).click()
    await page.getByText('https://northwind.com/ is loading.').waitFor()
    await worker.idle()
    await page.reload()
    await page.getByRole('row', { name: /Bing Webmaster Tools.*northwind.*Up to date/ }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await shoot('settings')
    await expectNarrow(page)
    await shoot('settings-390')

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${api.url}/projects/${project}/ai-traffic`)
    const google = page.getByText('1 click of 2 impressions, by Search Console')
    const ofBing = page.getByText('12 clicks of 110 impressions, by Bing Webmaster Tools')
    await page.getByRole('region', { name: 'Crawlers', exact: true }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await google.waitFor()
    await page.getByRole('radiogroup', { name: 'Search engine' }).getByText('Bing').click()
    await ofBing.waitFor()
    await page.getByRole('row', { name: /anvil.*10.*100/ }).waitFor()
    expect(await google.count()).toBe(0)
    await page
      .getByText(/These are the 2 weeks that end in this date range/)
      .first()
      .waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await shoot('traffic')
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot('traffic-dark')
    expect(faults).toEqual([])

    async function shoot(name: string) {
      const folder = process.env.SHOTS
      if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
    }
  },
)
