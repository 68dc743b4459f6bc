import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { shareUrl } from '../../core/reports/share.ts'
import { contrast, light } from '../../web/share/colours.ts'
import { makeReport } from '../../worker/report.ts'
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

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    const html = await response.text()
    expect(html).toContain('<meta name="robots" content="noindex, nofollow, noarchive">')
    expect(html).not.toMatch(/<script.+<script| (?:style|src)=|https?:\/\/(?!www[.]w3)/s)
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
      'Rated answers by sentiment',
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

describe('the link of a report', () => {
  const share = (args: string) =>
    graph(`mutation { shareReport(projectId: "${project}", reportId: "${id}", ${args}) {
      report { shareUrl shareEndsAt hasPassword previewUrl } } }`)
  const enter = (password: string) =>
    fetch(api.url + path, {
      method: 'POST',
      body: new URLSearchParams({ password }),
      redirect: 'manual',
    })

  test('ends when it was told to', async () => {
    expect(faultIn(await share('until: "2020-01-01T00:00:00Z"'))).toBe('invalid_argument until')
    const until = '2100-01-01T00:00:00.000Z'
    const { report } = (await share(`until: "${until}"`)).data.shareReport as {
      report: { shareEndsAt: string; shareUrl: string }
    }
    expect(report).toMatchObject({ shareEndsAt: until, hasPassword: false })
    expect(report.shareUrl.endsWith(path)).toBe(true)
    expect((await fetch(api.url + path)).status).toBe(200)
    await api.db.report.update({ where: { id }, data: { sharedUntil: new Date(0) } })
    expect(await isGone(path)).toBe(true)
    expect(await linkOf()).toBe('none')
    await share('until: null')
    expect((await fetch(api.url + path)).status).toBe(200)
  })

  test('asks for its password, until it is given', async () => {
    expect(faultIn(await share('password: "short"'))).toBe('invalid_argument password')
    await share('password: "correct horse"')
    const asked = await fetch(api.url + path)
    expect([asked.status, (await asked.text()).includes('Visibility')]).toEqual([401, false])
    expect((await fetch(`${api.url}${path}.json`)).status).toBe(401)
    expect((await enter('wrong horse')).status).toBe(403)
    const entered = await enter('correct horse')
    const [cookie = ''] = entered.headers.getSetCookie()
    expect([entered.status, entered.headers.get('location')]).toEqual([303, path])
    expect(cookie).toMatch(/HttpOnly/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await fetch(api.url + path, { headers })).status).toBe(200)
    // Ten within a minute, which a busy machine may not manage at once.
    let refused = await enter('wrong horse')
    for (let tried = 0; tried < 100 && refused.status !== 429; tried++) {
      refused = await enter('wrong horse')
    }
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await enter('correct horse')).status).toBe(429)
    const trail = await api.db.auditEntry.findMany({ where: { subjectId: id } })
    const written = trail.map(({ before, after }) => JSON.stringify([before, after])).join()
    expect(written).not.toContain('horse')
    await share('password: null')
    expect((await fetch(api.url + path)).status).toBe(200)
  })

  test('is not needed to read a report before it is shared', async () => {
    await change('revokeReportShare')
    const { data } = await graph(
      `{ project(id: "${project}") { report(id: "${id}") { shareUrl previewUrl } } }`,
    )
    const { report } = data.project as { report: { shareUrl: null; previewUrl: string } }
    expect(report.shareUrl).toBeNull()
    const preview = report.previewUrl.replace('https://sightline.test', api.url)
    const response = await fetch(preview)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(
      (await fetch(`${preview.slice(0, -1)}${preview.endsWith('A') ? 'B' : 'A'}`)).status,
    ).toBe(404)
    await change('shareReport')
    path = await linkOf()
  })
})

describe('the page', () => {
  test('has the numbers of the graph', async () => {
    const html = await (await fetch(api.url + path)).text()
    const window = `window: { from: "${may.from}", to: "${may.to}" }`
    const { data } = await graph(`{ project(id: "${project}") {
      ranking(${window}) { ownRank brandCount }
      brands(${window}) { nodes { brand { name } visibility {
        visibilityScore mentionCount mentionedIn metrics { shareOfVoice { value } } } } }
      promptResults(${window}) { counts { won lost even } }
    } }`)
    const found = data.project as {
      ranking: { ownRank: number; brandCount: number }
      brands: { nodes: { visibility: Record<string, number> & { metrics: Metrics } }[] }
      promptResults: { counts: { won: number; lost: number; even: number } }
    }
    type Metrics = { shareOfVoice: { value: number } }
    const { ownRank, brandCount } = found.ranking
    expect(html).toContain(`<strong>#${ownRank} of ${brandCount}</strong>`)
    for (const { visibility } of found.brands.nodes) {
      const { visibilityScore = 0, mentionCount, mentionedIn, metrics } = visibility
      const cells = `<td class="num">${visibilityScore.toFixed(1)}%</td><td class="num">${metrics.shareOfVoice.value.toFixed(1)}%`
      expect(html).toContain(cells)
      expect(html).toContain(
        `<td class="num minor">${mentionedIn}</td><td class="num minor">${mentionCount}</td>`,
      )
    }
    const { won, lost, even } = found.promptResults.counts
    expect([won, lost, even]).toEqual([1, 0, 1])
    expect(html).toContain('1 of 2 prompts with answers')
    expect(html).not.toContain('decision grade')
  })

  test('has the parts that were chosen, and no others', async () => {
    const { data } = await graph(`mutation { createReport(projectId: "${project}",
      reportType: combined, share: true, window: { from: "${may.from}", to: "${may.to}" },
      parts: [brands]) { report { id parts } } }`)
    const { report } = data.createReport as { report: { id: string; parts: string[] } }
    expect(report.parts).toEqual(['brands'])
    await makeReport(api, report.id)
    const link = shareUrl('', signingSecret, { reportId: report.id, version: 1 })
    const [html, json] = await Promise.all(
      ['', '.json'].map(async (end) => (await fetch(api.url + link + end)).text()),
    )
    const titles = [...(html ?? '').matchAll(/<h2>([^<]*)/g)].map(([, title]) => title)
    expect(titles).toEqual([
      'Visibility',
      'Share of voice',
      'Sentiment',
      'Average position',
      'Brands',
      'About these numbers',
      'Check these numbers',
    ])
    expect(json).not.toContain('wired.com')
  })
})

describe('the logo of a brand', () => {
  const setLogo = async (image: Buffer) => {
    const text = `mutation ($image: String!) { setLogo(projectId: "${project}", image: $image) {
      changed project { logoUrl } } }`
    const answer = await api.graphql(text, key, { image: image.toString('base64') })
    return (await answer.json()) as Parameters<typeof faultIn>[0]
  }
  const png = Buffer.from(pixel, 'base64')

  test.each([
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a GIF', Buffer.from('GIF89a')],
    ['a page', Buffer.from('<!doctype html>')],
    ['more than 200 kB', Buffer.concat([png, Buffer.alloc(200_000)])],
  ])('is refused as %s', async (_name, image) => {
    expect(faultIn(await setLogo(image))).toBe('invalid_argument image')
  })

  test('is on the page and at an address of its own, until it is removed', async () => {
    const { setLogo: set } = (await setLogo(png)).data as never as {
      setLogo: { changed: boolean; project: { logoUrl: string } }
    }
    expect(set.changed).toBe(true)
    const html = await (await fetch(api.url + path)).text()
    expect(html).toContain(`<img src="data:image/png;base64,${pixel}"`)
    const address = set.project.logoUrl.replace('https://sightline.test', api.url)
    const served = await fetch(address)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true)
    await graph(`mutation { removeLogo(projectId: "${project}") { changed } }`)
    expect(await (await fetch(api.url + path)).text()).not.toContain('<img')
    expect((await fetch(address)).status).toBe(404)
  })
})

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
        expect(await page.locator('figure svg:visible').count()).toBe(1)
        expect(await page.locator('table:visible').count()).toBe(3)
        expect(await seriousFindings(page)).toEqual([])
        expect({ outside, faults }).toEqual({ outside: [], faults: [] })
      },
    )

    test('is printed in light colours, with all tables', async () => {
      const { page } = await browser.open(api.url + path)
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)')
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
      // Two or three by the fonts of the machine. Cards on sheets of their own need more.
      expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(4)
    })
  })
}
