import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { shareUrl } from '../../core/reports/share.ts'
import { contrast, light } from '../../web/share/colours.ts'
import { makeReport } from '../../work/report.ts'
import { signingSecret, type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { answers, brand, may, type ReportBody } from '../kit/reports.ts'
import { sendWrite } from '../kit/rest/writes.ts'
import { isSoak } from '../kit/soak.ts'
import { seriousFindings } from '../kit/web/axe.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
const api = useApi({ PUBLIC_URL: 'https://sightline.test/' }, log)
const browser = useBrowser()

let workspace: TestWorkspace
let project = ''
let key = ''
let id = ''
/** The path of the link that is open now. */
let path = ''

const graph = asking(api, () => key)
const change = (name: string, fields = 'report { shareUrl }') =>
  graph(`mutation { ${name}(projectId: "${project}", reportId: "${id}") { ${fields} } }`)

/** The link of the report, as a path of this test's API. */
async function linkOf(): Promise<string> {
  const response = await api.get(`/api/mcp/projects/${project}/reports/${id}`, key)
  const { report } = (await response.json()) as { report: ReportBody }
  return report.shareUrl?.replace('https://sightline.test', '') ?? 'none'
}

async function make(of: string, share: boolean): Promise<string> {
  const body = { reportType: 'combined', ...may, share }
  const response = await sendWrite(api, { path: `/api/mcp/projects/${of}/reports`, key, body })
  const { report } = (await response.json()) as { report: ReportBody }
  expect([response.status, report.shareUrl]).toEqual([202, null])
  return report.id
}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project({
    ...brand,
    name: 'Acme <script>alert(1)</script>',
    aliases: [{ text: 'Acme' }],
  })
  key = (await workspace.key({ scopes: ['admin'] })).key
  await workspace.load(project, answers)
  id = await make(project, true)
})

const missing = async () => {
  const response = await fetch(`${api.url}/share/abc`)
  expect(response.status).toBe(404)
  return response.text()
}

/** Whether a link shows nothing, byte for byte as any other link that shows nothing. */
async function isGone(link: string): Promise<boolean> {
  const page = await missing()
  const found = await Promise.all(['', '.json'].map((end) => fetch(`${api.url}${link}${end}`)))
  const texts = await Promise.all(found.map((response) => response.text()))
  return found.every(({ status }) => status === 404) && texts.every((text) => text === page)
}

describe('a link', () => {
  test('opens when the report is completed, without a key', async () => {
    const unfinished = shareUrl('', signingSecret, { reportId: id, version: 1 })
    expect(await linkOf()).toBe('none')
    expect(await isGone(unfinished)).toBe(true)
    await makeReport(api, id)
    path = await linkOf()
    expect(path).toBe(unfinished)
    const response = await fetch(api.url + path)
    expect(response.status).toBe(200)
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'x-ratelimit-limit': '600',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    const html = await response.text()
    expect(html).toContain('<meta name="robots" content="noindex, nofollow, noarchive">')
    expect(html).not.toMatch(/<script| style=|https?:\/\/(?!www[.]w3)/)
    const head = await fetch(api.url + path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(html)))
    const post = await fetch(api.url + path, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('gives the report as JSON, with the points of its charts', async () => {
    const reply = await api.get(`/api/mcp/projects/${project}/reports/${id}`, key)
    const { report } = (await reply.json()) as { report: ReportBody }
    const shared = (await (await fetch(`${api.url}${path}.json`)).json()) as {
      report: ReportBody
      charts: { title: string; points: { label: string; value: number }[] }[]
    }
    expect(shared.report).toEqual(report)
    expect(shared.charts.map(({ title }) => title)).toEqual([
      'Visibility over time',
      'Share of voice by brand',
      'Visibility by AI platform',
      'Visibility by topic',
      'Most cited domains',
      'Sentiment over time',
      'Rated answers by tone',
      'Sentiment score by brand',
    ])
    expect(shared.charts[4]?.points).toMatchObject([
      { label: 'wired.com', value: 5 },
      { label: 'acme.com', value: 3 },
    ])
  })

  test('altered in one character opens nothing', async () => {
    const [first = '', second = ''] = path.split('.')
    expect(await isGone(`${first}.${second.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`)).toBe(
      true,
    )
    expect(await isGone('/share/')).toBe(true)
    expect(await isGone(shareUrl('', 'other', { reportId: id, version: 1 }))).toBe(true)
  })

  test('revoked is closed for good; shared again the report has another', async () => {
    expect((await change('revokeReportShare')).data.revokeReportShare).toEqual({
      report: { shareUrl: null },
    })
    expect(await isGone(path)).toBe(true)
    expect((await change('revokeReportShare')).errors).toBeUndefined()
    await change('shareReport')
    await change('shareReport')
    const second = await linkOf()
    expect(second).not.toBe(path)
    expect((await fetch(api.url + second)).status).toBe(200)
    expect(await isGone(path)).toBe(true)
    path = second
    const where = { subjectId: id }
    const trail = await api.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })
    expect(trail.map(({ action }) => action)).toEqual([
      'report.create',
      'report.revokeShare',
      'report.share',
    ])
  })

  test('closes while the plan shares no reports, and while a regular project is inactive', async () => {
    const plan = (name: 'starter' | 'growth' | 'enterprise') =>
      api.db.workspace.update({ where: { id: workspace.id }, data: { plan: name } })
    await plan('starter')
    expect(await isGone(path)).toBe(true)
    expect(await linkOf()).toBe('none')
    expect(faultIn(await change('shareReport'))).toBe('plan_upgrade_required')
    await plan('growth')
    expect((await fetch(api.url + path)).status).toBe(200)
    await plan('enterprise')
    const active = (isActive: boolean) =>
      api.db.project.update({ where: { id: project }, data: { isActive } })
    await active(false)
    expect(await isGone(path)).toBe(true)
    await active(true)
    expect((await fetch(api.url + path)).status).toBe(200)
  })

  test('of a deleted project opens nothing', async () => {
    const doomed = await workspace.project(brand)
    const report = await make(doomed, true)
    await makeReport(api, report)
    const link = shareUrl('', signingSecret, { reportId: report, version: 1 })
    expect((await fetch(api.url + link)).status).toBe(200)
    await api.db.project.delete({ where: { id: doomed } })
    expect(await isGone(link)).toBe(true)
  })

  test('never stands in the log', async () => {
    const token = path.slice('/share/'.length)
    expect(lines.filter((line) => line.includes('/share/…')).length).toBeGreaterThan(10)
    expect(lines.filter((line) => line.includes(token.slice(0, 20)))).toEqual([])
  })
})

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the branding of a workspace', () => {
  const brandWith = (args: string) =>
    graph(`mutation { setReportBranding(workspaceId: "${workspace.id}"${args}) { changed } }`)

  test('carries the name, colour and logo of its sender, until it is removed', async () => {
    const agency = ', name: "Agency & Co", accent: "#FFEE00"'
    expect((await brandWith(`${agency}, logo: "${pixel}"`)).data.setReportBranding).toEqual({
      changed: true,
    })
    const html = await (await fetch(api.url + path)).text()
    expect(html).toContain('Agency &amp; Co')
    expect(html).toContain(`<img src="data:image/png;base64,${pixel}"`)
    expect(html).not.toContain('Sightline')
    // Yellow on white cannot be read: the page darkens it, but not on a dark ground.
    const [onLight = '', onDark] = [...html.matchAll(/--accent:(#\w{6})/g)].map(([, hex]) => hex)
    expect(contrast(onLight, light.page)).toBeGreaterThanOrEqual(4.5)
    expect(onDark).toBe('#ffee00')
    expect((await brandWith(`${agency}, logo: "${pixel}"`)).data.setReportBranding).toEqual({
      changed: false,
    })
    await brandWith('')
    expect(await (await fetch(api.url + path)).text()).toContain('Made with Sightline')
  })

  test.each([
    [', name: " "', 'invalid_argument name'],
    [', name: "A", accent: "red"', 'invalid_argument accent'],
    [', name: "A", logo: "aGVsbG8="', 'invalid_argument logo'],
    [', accent: "#000000"', 'invalid_argument name'],
  ])('is refused as%.60s', async (args, outcome) => {
    expect(faultIn(await brandWith(args))).toBe(outcome)
  })

  test('is refused with a logo of more than 50,000 bytes', async () => {
    const large = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(50_000)])
    const text = `mutation ($logo: String) {
      setReportBranding(workspaceId: "${workspace.id}", name: "A", logo: $logo) { changed } }`
    const answer = await api.graphql(text, key, { logo: large.toString('base64') })
    expect(faultIn(await answer.json())).toBe('invalid_argument logo')
  })

  test('needs a plan with white label', async () => {
    const small = await api.workspace('growth')
    const { key: growth } = await small.key({ scopes: ['write'] })
    const text = `mutation { setReportBranding(workspaceId: "${small.id}", name: "A") { changed } }`
    expect(faultIn(await graph(text, growth))).toBe('plan_upgrade_required')
  })
})

if (isSoak) {
  describe.skipIf(lacksChromium)('the page in a browser', () => {
    test.each([
      [320, 'light'],
      [1440, 'dark'],
    ] as const)(
      '%i pixels wide in the %s scheme fits, loads nothing and is accessible',
      async (width, colorScheme) => {
        const { page, outside, faults } = await browser.open(api.url + path)
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        expect(await page.locator('h1').textContent()).toContain('<script>alert(1)</script>')
        expect(await page.locator('svg:visible').count()).toBe(8)
        expect(await page.locator('table').count()).toBeGreaterThan(8)
        const names = await page
          .locator('svg:visible')
          .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
        expect(names[4]).toBe('Most cited domains. 2 bars: wired.com 5, acme.com 3.')
        expect(await seriousFindings(page)).toEqual([])
        expect({ outside, faults }).toEqual({ outside: [], faults: [] })
      },
    )

    test('is printed in light colours, with all tables', async () => {
      const { page } = await browser.open(api.url + path)
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(24, 32, 43)')
      const tables = await page
        .locator('table')
        .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height > 0).length)
      expect(tables).toBe(await page.locator('table').count())
    })

    test.each([
      ['A4', /\/MediaBox \[0 0 59[45][.\d]* 84[12]/],
      ['Letter', /\/MediaBox \[0 0 612 792/],
    ] as const)('fits on few sheets of %s', async (format, size) => {
      const { page } = await browser.open(api.url + path)
      const pdf = (await page.pdf({ format })).toString('latin1')
      expect(pdf).toMatch(size)
      // Five or six by the fonts of the machine. Charts cut in two or sections on sheets of their own need more.
      expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(7)
    })
  })
}
