import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SitemapFault } from '../../site/sitemap/fault.ts'
import {
  readSitemap,
  type SitemapEntry,
  type SitemapFile,
  type SitemapLimits,
} from '../../site/sitemap/sitemap.ts'

const small: SitemapLimits = { bytes: 100_000, urls: 5, files: 2, allUrls: 8 }

/** A file in chunks of a few bytes, so that every boundary lies inside a tag, a character or an entity. */
function file(content: string | Buffer, name = 'sitemap.xml', size = 7): SitemapFile {
  const bytes = Buffer.from(content)
  return {
    name,
    bytes: (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  }
}

const urlset = (...entries: readonly string[]) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`
const listed = (count: number, path = '') =>
  urlset(
    ...Array.from({ length: count }, (_, i) => `<url><loc>https://a.com/${path}${i}</loc></url>`),
  )
const index = (...names: readonly string[]) =>
  `<sitemapindex>${names.map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join('')}</sitemapindex>`

async function all(entries: AsyncIterable<SitemapEntry>): Promise<SitemapEntry[]> {
  const found: SitemapEntry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

async function read(from: SitemapFile, children: Record<string, string> = {}) {
  const open = async (address: string) => {
    const content = children[address]
    if (content === undefined) throw new SitemapFault(address, 'answers 404')
    return file(content, address)
  }
  return all(readSitemap(from, open, small))
}

const addresses = async (...given: Parameters<typeof read>) =>
  (await read(...given)).map(({ address }) => address)

const faultOf = (...given: Parameters<typeof read>) =>
  read(...given).then(
    () => 'no fault',
    (error: unknown) => (error instanceof SitemapFault ? error.message : error),
  )

test('entities, CDATA, prefixes and dates of the protocol are read', async () => {
  const text = `\uFEFF \n<?xml version="1.0" encoding="UTF-8"?>
    <s:urlset xmlns:s="x" xmlns:image="y">
      <s:url><s:loc> https://a.com/ä?x=1&amp;y=&#50; </s:loc><s:lastmod>2026</s:lastmod>
        <image:image><image:loc>https://a.com/picture.png</image:loc></image:image></s:url>
      <!-- <url><loc>https://a.com/comment</loc></url> -->
      <s:url><s:lastmod>2026-02-03T04:05:06+01:00</s:lastmod><s:loc><![CDATA[https://a.com/c&d]]></s:loc></s:url>
      <s:url><s:loc>https://a.com/e</s:loc><s:lastmod>yesterday</s:lastmod></s:url>
      <s:url><s:lastmod>2026-01-01</s:lastmod></s:url>
    </s:urlset>`
  expect(await read(file(text))).toEqual([
    { address: 'https://a.com/ä?x=1&y=2', lastModified: '2026-01-01T00:00:00.000Z' },
    { address: 'https://a.com/c&d', lastModified: '2026-02-03T03:05:06.000Z' },
    { address: 'https://a.com/e', lastModified: null },
    { address: '', lastModified: '2026-01-01T00:00:00.000Z' },
  ])
})

test('a packed file is known by its first bytes, and a text lists one URL a line', async () => {
  expect(await addresses(file(gzipSync(listed(2)), 'sitemap.xml'))).toEqual([
    'https://a.com/0',
    'https://a.com/1',
  ])
  const text = '\r\nhttps://a.com/a\r\n\r\n https://a.com/b \nnot a URL'
  expect(await addresses(file(text))).toEqual(['https://a.com/a', 'https://a.com/b', 'not a URL'])
})

test('an index is read file by file', async () => {
  const children = { 'https://a.com/1.xml': listed(2, 'x'), 'https://a.com/2.xml': listed(1, 'y') }
  expect(await addresses(file(index(...Object.keys(children))), children)).toEqual([
    'https://a.com/x0',
    'https://a.com/x1',
    'https://a.com/y0',
  ])
})

test.each([
  ['an empty file', '', 'sitemap.xml is empty'],
  ['a page', '<html><body>x</body></html>', 'sitemap.xml is neither a sitemap nor a sitemap index'],
  ['another text', '{"error":1}', 'sitemap.xml is neither a sitemap nor a sitemap index'],
  ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><urlset/>', 'sitemap.xml has a document type'],
  ['half a file', listed(2).slice(0, -20), /^sitemap.xml is not whole XML: /],
  [
    'a wrong entity',
    urlset('<url><loc>&nope;</loc></url>'),
    /is not whole XML: .*undefined entity/,
  ],
  ['half a packed file', gzipSync(listed(2)).subarray(0, 40), /cannot be unpacked: unexpected end/],
  ['a damaged packed file', Buffer.from('1f8b0000ff', 'hex'), /^sitemap.xml cannot be unpacked: /],
  ['another encoding', Buffer.from('fffe3c00', 'hex'), 'sitemap.xml is not valid UTF-8'],
  [
    'half a character',
    Buffer.concat([Buffer.from('https://a.com/'), Buffer.from([0xc3])]),
    /UTF-8/,
  ],
  ['deep nesting', `<urlset>${'<a>'.repeat(40)}`, 'sitemap.xml is nested too deep'],
  ['six URLs of five', listed(6), 'sitemap.xml has more than 5 URLs'],
  ['a bomb', gzipSync(`<urlset>${' '.repeat(200_000)}</urlset>`), /^sitemap.xml is longer than /],
  ['a lost child', index('https://a.com/1.xml'), 'https://a.com/1.xml answers 404'],
  ['a child without address', index(''), 'sitemap.xml names a sitemap without an address'],
  ['three children of two', index('a', 'b', 'c'), 'sitemap.xml names more than 2 sitemaps'],
])('%s is refused', async (_, content, fault) => {
  expect(await faultOf(file(content))).toEqual(
    typeof fault === 'string' ? fault : expect.stringMatching(fault),
  )
})

test('an index within an index, and too many URLs in all files are refused', async () => {
  expect(await faultOf(file(index('x')), { x: index('y') })).toBe('x is an index within an index')
  expect(await faultOf(file(index('x', 'y')), { x: listed(5), y: listed(4) })).toBe(
    'y makes more than 8 URLs of all files',
  )
})

test('endless parts are refused before they fill the memory', async () => {
  const endless = (start: string, part: string): SitemapFile => ({
    name: 'endless.xml',
    bytes: (async function* () {
      yield Buffer.from(start)
      for (;;) yield Buffer.from(part.repeat(10_000))
    })(),
  })
  const wide = { ...small, bytes: 1e9 }
  const refuse = async (start: string, part: string) => {
    const entries = readSitemap(endless(start, part), () => Promise.reject(), wide)
    await expect(all(entries)).rejects.toThrow(SitemapFault)
  }
  await refuse('<urlset><url><loc>', 'x')
  await refuse('<urlset><!-- ', 'x')
  await refuse('<urlset', ' a="b"')
  await refuse('<urlset>', '<a>')
  await refuse('https://a.com/', 'x')
})

test('50,000 URLs are read piece by piece: the file is never far ahead of the reader', async () => {
  const batch = 100
  let written = 0
  async function* many() {
    yield Buffer.from('<urlset>')
    for (; written < 50_000; written += batch) {
      const urls = Array.from({ length: batch }, (_, i) => `https://a.com/${written + i}`)
      yield Buffer.from(urls.map((url) => `<url><loc>${url}</loc></url>`).join(''))
    }
    yield Buffer.from('</urlset>')
  }
  let [read, furthest] = [0, 0]
  const entries = readSitemap({ name: 'many.xml', bytes: many() }, () => Promise.reject())
  for await (const { address } of entries) {
    if (address === `https://a.com/${read}`) read++
    furthest = Math.max(furthest, written - read)
  }
  expect(read).toBe(50_000)
  // Buffers between the stages hold 200 kB, a URL of this file takes about 45 bytes.
  expect(furthest).toBeLessThan(6_000)
})
