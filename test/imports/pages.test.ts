import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../../imports/content/pages.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { sized } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const graph = asking(api, () => key)

async function* bytesOf(text: string | Buffer) {
  yield Buffer.from(text as string)
}

/** Loads a file, with others by name beside it. */
const load = (of: string, text: string | Buffer, others: Record<string, string> = {}) =>
  importPages(api, {
    projectId: of,
    name: 'sitemap.xml',
    bytes: bytesOf(text),
    openBeside: async (name) => {
      const other = others[name]
      return other === undefined ? undefined : { name, bytes: bytesOf(other) }
    },
  })

const inSitemap = async (of: string) => {
  const found = await api.db.sitemapUrl.findMany({
    where: { projectId: of },
    orderBy: { url: 'asc' },
    omit: { projectId: true },
  })
  return found
}
const pagesOf = (of: string) =>
  api.db.page.findMany({ where: { projectId: of }, orderBy: { url: 'asc' } })

const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`
const urlset = (...urls: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>\n`

describe('pages out of CSV', () => {
  test('keep what the file says nothing of, and twice is once', async () => {
    const of = await workspace.project()
    const csv = 'Address;Page type;Title 1;tracked\nhttps://acme.com/a;guide;"A; the first";no\n'
    expect(await load(of, csv)).toEqual({ read: 1, loaded: 1, skipped: 0, rejected: [] })
    const [before] = await pagesOf(of)
    expect(before).toMatchObject({ type: 'guide', title: 'A; the first', isTracked: false })
    expect(await load(of, csv)).toMatchObject({ loaded: 0, skipped: 1 })
    expect(await pagesOf(of)).toEqual([before])
    expect(before).toMatchObject({ address: 'https://acme.com/a' })
    expect(await load(of, 'url,title,type\nhttp://acme.com/a/,Other,\n')).toMatchObject({
      loaded: 1,
    })
    const [after] = await pagesOf(of)
    expect(after).toMatchObject({ address: 'http://acme.com/a/', url: 'https://acme.com/a' })
    const { id, createdAt } = before ?? {}
    expect(after).toMatchObject({ id, createdAt, type: 'guide', title: 'Other', isTracked: false })
    expect(await inSitemap(of)).toEqual([])
  })

  test('tell each wrong line, and the rest is loaded, with any line end and a byte order mark', async () => {
    const of = await workspace.project()
    const csv = [
      '\ufeffurl,type,tracked',
      'https://acme.com/a,guide,yes',
      'acme.com/b,guide,yes',
      ',guide,yes',
      'ftp://acme.com/c,,',
      'https://acme.com/d,,perhaps',
      `https://acme.com/${'x'.repeat(3000)},,`,
      '',
      `https://acme.com/e,${'t'.repeat(101)},`,
      'https://acme.com/f',
      'https://acme.com/g,\0nul,1',
    ].join('\r\n')
    const { rejected, ...counts } = await load(of, csv)
    expect(counts).toEqual({ read: 9, loaded: 3, skipped: 0 })
    expect(rejected.map(({ line, reason }) => [line, reason.split('`')[1]])).toEqual([
      [3, 'url'],
      [4, 'url'],
      [5, 'url'],
      [6, 'tracked'],
      [7, 'url'],
      [9, 'type'],
    ])
  })

  test('are many in the memory of some batches', async () => {
    const lines = sized({ normal: 6_000, soak: 100_000 })
    const of = await workspace.project()
    async function* bytes() {
      yield Buffer.from('url,title\n')
      for (let i = 0; i < lines; i++) {
        const address = i % 1000 === 5 ? 'none' : `https://acme.com/${i % 5000}`
        yield Buffer.from(`${address},"Title ${i % 5000}"\n`)
      }
    }
    const before = process.memoryUsage().heapUsed
    let most = 0
    const onProgress = () => {
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    const options = { projectId: of, name: 'pages.csv', bytes: bytes(), onProgress }
    const { rejected, ...counts } = await importPages(api, options)
    // Of the 5,000 addresses five are no address.
    expect(counts).toEqual({ read: lines, loaded: 4995, skipped: lines - 4995 - lines / 1000 })
    expect(rejected).toHaveLength(lines / 1000)
    expect(rejected[0]).toMatchObject({ line: 7 })
    expect(most).toBeLessThan(300 * 1024 * 1024)
  })
})

describe('a sitemap', () => {
  test('takes the place of the one before, and makes pages that stay', async () => {
    const of = await workspace.project()
    const a = url(
      'http://WWW.acme.com/a/?b=1&amp;utm_source=x#top',
      '<lastmod>2025-05-10</lastmod>',
    )
    const first = urlset(a, url('https://www.acme.com/', '<lastmod>0000</lastmod>'))
    expect(await load(of, first)).toEqual({ read: 2, loaded: 2, skipped: 0, rejected: [] })
    const front = { url: 'https://www.acme.com/', host: 'www.acme.com', path: '/' }
    expect(await inSitemap(of)).toEqual([
      { ...front, address: 'https://www.acme.com/', lastModified: null },
      {
        address: 'http://www.acme.com/a/?b=1&utm_source=x',
        url: 'https://www.acme.com/a?b=1',
        host: 'www.acme.com',
        path: '/a',
        lastModified: new Date('2025-05-10'),
      },
    ])
    expect(await pagesOf(of)).toMatchObject([
      { slug: 'home', type: 'homepage', title: '', isTracked: true },
      {
        slug: 'a',
        url: 'https://www.acme.com/a?b=1',
        address: 'http://www.acme.com/a/?b=1&utm_source=x',
      },
    ])
    expect(await load(of, first)).toMatchObject({ loaded: 0, skipped: 2 })
    const second = urlset(url('https://www.acme.com/'), url('https://www.acme.com/new'))
    expect(await load(of, second)).toMatchObject({ read: 2, loaded: 1, skipped: 1 })
    expect((await inSitemap(of)).map((row) => row.path)).toEqual(['/', '/new'])
    expect((await pagesOf(of)).map(({ slug }) => slug)).toEqual(['home', 'a', 'new'])
    const { sitemapStatus, sitemapRefreshedAt } = await api.db.project.findUniqueOrThrow({
      where: { id: of },
    })
    expect([sitemapStatus, sitemapRefreshedAt]).toEqual(['idle', expect.any(Date)])
  })

  test('of several files is read by its index, and tells what is no URL', async () => {
    const of = await workspace.project()
    const index = `<sm:sitemapindex xmlns:sm="x"><sm:sitemap><sm:loc>https://acme.com/maps/one.xml?x=1</sm:loc></sm:sitemap>
      <sm:sitemap><sm:loc>https://acme.com/two.xml</sm:loc></sm:sitemap></sm:sitemapindex>`
    const others = {
      'one.xml': urlset(url('https://acme.com/1'), url('/2'), '<url></url>'),
      'two.xml': urlset(url('https://acme.com/1'), url('https://acme.com/3')),
    }
    expect(await load(of, index, others)).toEqual({
      read: 5,
      loaded: 2,
      skipped: 1,
      rejected: [
        { line: 2, reason: expect.stringContaining('`loc` must be an http') },
        { line: 3, reason: '`loc` is required.' },
      ],
    })
    expect((await inSitemap(of)).map(({ path }) => path)).toEqual(['/1', '/3'])
  })

  test('that cannot be read as a whole changes nothing', async () => {
    const of = await workspace.project()
    await load(of, urlset(url('https://acme.com/1')))
    const before = [await inSitemap(of), await pagesOf(of)]
    const whole = urlset(url('https://acme.com/2'), url('https://acme.com/3'))
    const index = (name: string) =>
      `<sitemapindex><sitemap><loc>https://acme.com/${name}</loc></sitemap></sitemapindex>`
    const cases: [string | Buffer, string][] = [
      [whole.slice(0, -30), 'is not whole XML: '],
      [`<!DOCTYPE urlset [<!ENTITY a "b">]>${whole}`, 'has a document type'],
      [`<urlset>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</urlset>`, 'is nested too deep'],
      ['<urlset>text</urlset>', 'has no URL'],
      ['<urlset><url>text</url><url><loc/><loc>a</loc></url></urlset>', 'has no URL'],
      ['<__proto__><url/></__proto__>', 'sitemap.xml '],
      ['<html><body>Not found</body></html>', 'is neither a sitemap'],
      [urlset(), 'has no URL'],
      [urlset(url('nonsense')), 'has no URL'],
      [Buffer.from(urlset(url('https://acme.com/é')), 'latin1'), 'is not valid UTF-8'],
      [index('lost.xml'), 'lost.xml, which is not beside it'],
      [index('again.xml'), 'again.xml is an index within an index'],
      [index('cut.xml'), 'cut.xml is not whole XML'],
    ]
    const others = { 'again.xml': index('x.xml'), 'cut.xml': whole.slice(0, -5) }
    for (const [text, reason] of cases) {
      await expect(load(of, text, others)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining(reason),
      })
    }
    expect([await inSitemap(of), await pagesOf(of)]).toEqual(before)
    const stop = new AbortController()
    const stopped = await importPages(api, {
      projectId: of,
      name: 'x',
      signal: stop.signal,
      bytes: (async function* () {
        yield Buffer.from(whole)
        stop.abort()
      })(),
    })
    expect(stopped.loaded).toBe(0)
    expect([await inSitemap(of), await pagesOf(of)]).toEqual(before)
  })

  const many = sized({ normal: 2_000, soak: 50_000 })

  test(`of ${many} URLs is loaded by two at once, and is one of them`, async () => {
    const of = await workspace.project()
    const numbered = (from: number) =>
      urlset(...Array.from({ length: many }, (_, i) => url(`https://acme.com/${from + i}`)))
    const results = await Promise.all([load(of, numbered(0)), load(of, numbered(many / 2))])
    expect(results.map(({ read }) => read)).toEqual([many, many])
    expect(await api.db.sitemapUrl.count({ where: { projectId: of } })).toBe(many)
    expect(await api.db.page.count({ where: { projectId: of } })).toBe(many * 1.5)
  })
})

test('both are a mutation of the scope admin, which names what is wrong', async () => {
  const of = await workspace.project()
  const ask = (content: string) =>
    graph(
      `mutation { importPages(projectId: "${of}", content: ${JSON.stringify(content)})
        { read loaded skipped rejected { line } } }`,
    )
  expect((await ask('url\nhttps://acme.com/a\nb')).data).toEqual({
    importPages: { read: 2, loaded: 1, skipped: 0, rejected: [{ line: 3 }] },
  })
  expect((await ask(urlset(url('https://acme.com/a')))).data).toEqual({
    importPages: { read: 1, loaded: 1, skipped: 0, rejected: [] },
  })
  expect(faultIn(await ask('<urlset>'))).toBe('invalid_argument sitemap')
  expect(faultIn(await ask('title\nA'))).toBe('invalid_argument csv')
  expect(faultIn(await ask(''))).toBe('invalid_argument content')
})
