import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { linesOf } from '../../imports/files/lines.ts'
import { useApi } from '../kit/api.ts'
import { realData } from '../kit/real-data.ts'

/**
 * 528 real answers, counted twice: by the service, and below by a few lines that share nothing with it.
 */
const api = useApi()
const real = realData('data/answers-product-bench.jsonl')

interface Counted {
  citations: number
  answers: Set<number>
  urls: Set<string>
}

/** The public suffixes of two labels that the file holds. */
const twoLabels = ['co.uk', 'com.au', 'co.nz', 'myshopify.com']

function tidy(url: string): string {
  const bare = url
    .replaceAll('&amp;', '&')
    .replace('//m.youtube.com/', '//www.youtube.com/')
    .replace('//mobile.www.', '//www.')
  const [, shop, product] = /\/\/(www\.amazon\.[^/]+)\/.*\bdp\/(\w{10})/.exec(bare) ?? []
  if (product) return `https://${shop}/dp/${product}`
  let [address = ''] = bare.split('#')
  const [before = '', query] = address.split('?')
  const kept = (query ?? '')
    .split('&')
    .filter((p) => p && !/^(utm_\w*|gclid|msclkid|fbclid|srsltid)(=|$)/i.test(p))
    .filter((p) => !(/^t=/.test(p) && bare.includes('//www.youtube.com/')))
    .map((p) =>
      p.replace(/%[0-9a-f]{2}/gi, (code) =>
        /[\w.~-]/.test(decodeURI(code)) ? decodeURI(code) : code,
      ),
    )
    .sort((a, b) => (a.split('=')[0] ?? '').localeCompare(b.split('=')[0] ?? '', 'en'))
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*)$/i.exec(before) ?? []
  address = `https://${host.toLowerCase()}${path.replace(/\/index\.(html?|php)$/, '').replace(/\/$/, '') || '/'}`
  // The file's titles hold characters that a URL spells in percent.
  const spelt = encodeURI(decodeURI(address.replaceAll('%', '%25'))).replaceAll('%25', '%')
  return spelt + (kept.length > 0 ? `?${kept.join('&')}` : '')
}

function count() {
  const domains = new Map<string, Counted>()
  const urls = new Map<string, Set<number>>()
  let citations = 0
  const answers = real.lines.map((line) => JSON.parse(line) as { citations: { url: string }[] })
  for (const [index, answer] of answers.entries()) {
    for (const url of new Set(answer.citations.map((citation) => tidy(citation.url)))) {
      // Two answers cite a picture of the assistant itself, which is no source.
      if (url.startsWith('https://images.openai.com/')) continue
      const host = url.split('/')[2] ?? ''
      const labels = host.split('.')
      const domain = labels
        .slice(twoLabels.includes(labels.slice(-2).join('.')) ? -3 : -2)
        .join('.')
      const entry = domains.get(domain) ?? { citations: 0, answers: new Set(), urls: new Set() }
      domains.set(domain, entry)
      entry.citations += 1
      entry.answers.add(index)
      entry.urls.add(url)
      urls.set(url, (urls.get(url) ?? new Set()).add(index))
      citations += 1
    }
  }
  return { answers: answers.length, citations, domains, urls }
}

const mine = count()
const window = 'from=2025-05-20&to=2025-05-30'
let key = ''
let base = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ name: 'Sony', domain: 'sony.com' })
  key = (await workspace.key()).key
  base = `/api/mcp/projects/${project}`
  const { importAnswers } = await import('../../imports/answers/answers.ts')
  const result = await importAnswers(api, { projectId: project, lines: real.lines })
  expect(result).toMatchObject({ read: 528, loaded: 528, skipped: 0, rejected: [] })
})

type Row = Record<string, unknown>

async function get(path: string): Promise<Row> {
  const response = await api.get(base + path, key)
  expect(response.status).toBe(200)
  return (await response.json()) as Row
}

const round = (n: number, d: number) => Math.round((n / d) * 100 + Number.EPSILON) / 100

describe.skipIf(real.isAbsent)('528 real answers', () => {
  test('every domain has the counts of an independent script', async () => {
    const { sources, totalSources } = await get(`/sources/domains?limit=1000&${window}`)
    expect(totalSources).toBe(mine.domains.size)
    const theirs = (sources as Row[]).map((row) => [
      row.domain,
      row.totalCitations,
      row.frequency,
      row.pageCount,
      row.usage,
    ])
    const expected = [...mine.domains]
      .map(
        ([domain, c]) =>
          [
            domain,
            c.citations,
            c.answers.size,
            c.urls.size,
            round(c.answers.size * 100, 528),
          ] as const,
      )
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    expect(theirs).toEqual(expected)
    expect(expected.reduce((sum, row) => sum + row[1], 0)).toBe(mine.citations)
  })

  test('every URL has the counts of an independent script', async () => {
    const urls: Row[] = []
    for (let offset = 0; ; offset += 1000) {
      const page = await get(`/sources/urls?limit=1000&offset=${offset}&${window}`)
      urls.push(...(page.urls as Row[]))
      expect(page.totalUrls).toBe(mine.urls.size)
      if (!page.hasMore) break
    }
    const expected = [...mine.urls]
      .map(([url, answers]) => [url, answers.size, round(answers.size * 100, 528)] as const)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    expect(urls.map((row) => [row.url, row.responsesWithUrl, row.usage])).toEqual(expected)
    expect(new Set(urls.map((row) => row.totalResponses))).toEqual(new Set([528]))
  })

  test('the top 20 domains are the same through REST, GraphQL and CSV', async () => {
    const { sources } = (await get(`/sources/domains?${window}`)) as { sources: Row[] }
    expect(sources).toHaveLength(20)
    const named: Record<string, string> = {
      frequency: 'citedIn',
      avgCitations: 'citationsPerCitingAnswer',
      totalCitations: 'citationCount',
      usage: 'citationRate',
      avgCitationsPerResponse: 'citationsPerAnswer',
    }
    const fields = Object.keys(sources[0] ?? {})
      .map((name) => `${name}: ${named[name] ?? name}`)
      .join(' ')
    const response = await api.graphql(
      `{ project(id: "${project}") { sourceDomains(window: { from: "2025-05-20", to: "2025-05-30" }) { sources: nodes { ${fields} } } } }`,
      key,
    )
    const { data } = (await response.json()) as {
      data: { project: { sourceDomains: { sources: Row[] } } }
    }
    expect(data.project.sourceDomains.sources).toEqual(sources)
    const csv = await api.get(`${base}/sources/domains?format=csv&${window}`, key)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('link')).toMatch(/^<\/api\/mcp\/.*cursor=.*>; rel="next"$/)
    const rows = parse(await csv.text(), { bom: true, columns: true }) as Record<string, string>[]
    const cells = (row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      )
    expect(rows).toEqual(sources.map(cells))
  })

  test('pages of 17, by offset and by cursor, join to the whole list while another import runs', async () => {
    const all = ((await get(`/sources/domains?limit=1000&${window}`)).sources as Row[]).map(
      (row) => row.domain,
    )
    const { importAnswers } = await import('../../imports/answers/answers.ts')
    let running = true
    const more = real.text
      .replaceAll('"run": 1', '"run": 7')
      .replaceAll('https://www.', 'https://new-')
    const importing = importAnswers(api, { projectId: project, lines: more.split('\n') }).then(
      () => {
        running = false
      },
    )
    const walks = { offset: [] as unknown[], cursor: [] as unknown[] }
    let cursor: unknown = null
    let pages = 0
    let sawEnd = false
    for (let offset = 0; offset < all.length; offset += 17) {
      const [byOffset, byCursor] = await Promise.all([
        get(`/sources/domains?limit=17&offset=${offset}&${window}`),
        get(`/sources/domains?limit=17&${window}${cursor ? `&cursor=${cursor}` : ''}`),
      ])
      walks.offset.push(...(byOffset.sources as Row[]).map((row) => row.domain))
      walks.cursor.push(...(byCursor.sources as Row[]).map((row) => row.domain))
      cursor = byCursor.nextCursor
      pages += 1
      if (pages === 10) await importing
      sawEnd ||= !running
    }
    await importing
    expect(sawEnd).toBe(true)
    expect(cursor).toBeNull()
    expect(walks.offset).toEqual(all)
    expect(walks.cursor).toEqual(all)
    const after = await get(`/sources/domains?limit=1&${window}`)
    expect(after.totalSources).toBeGreaterThan(all.length)
  })

  test('lines are read alike from a stream of bytes', async () => {
    const { Readable } = await import('node:stream')
    const lines: unknown[] = []
    for await (const line of linesOf(Readable.from([Buffer.from(real.text)]))) lines.push(line)
    expect(lines.length).toBeGreaterThanOrEqual(528)
  })
})
