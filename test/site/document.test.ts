import { describe, expect, test } from 'vitest'
import type { ReadOptions } from '../../site/document/document.ts'
import { readDocument } from '../../site/document/read.ts'

const options: ReadOptions = {
  xRobotsTag: [],
  link: [],
  ownDomains: ['shop.test'],
  brand: null,
  now: new Date('2026-06-15T12:00:00Z'),
}

const read = (html: string, more: Partial<ReadOptions> = {}, address = 'https://shop.test/a/b') =>
  readDocument(Buffer.from(html), 'utf-8', address, { ...options, ...more })

const head = (html: string) => read(`<html><head>${html}</head><body></body></html>`).document
const body = (html: string) => read(`<body>${html}</body>`).document

describe('the text of a page', () => {
  test('leaves out what readers do not see, and parts words at the edges of blocks', () => {
    const { main } = read(
      '<body><main>one<b>two</b><p>three</p>four<br>five<script>x</script><p hidden>x</p>' +
        '<div aria-hidden=true>x</div><template><p>x</p></template><noscript>x</noscript></main>',
    )
    expect(main).toBe('onetwo three four five')
  })

  test('main part is that of main, then of the only article, then of body', () => {
    expect(read('<nav>n</nav><main>m<nav>n</nav></main><article>a</article>').main).toBe('m')
    expect(read('<p>p</p><div role=main>m<aside>x</aside></div>').main).toBe('m')
    expect(read('<p>p</p><article>a</article>').main).toBe('a')
    expect(read('<p>p</p><article>a</article><article>b</article>').main).toBe('p a b')
    expect(read('<header>h</header><p>p</p><footer>f</footer><aside>x</aside>').main).toBe('p')
  })

  test('of two pages that differ in case, width and white space has one key', () => {
    expect(body('<main>Ａ  b\nc</main>').mainKey).toBe(body('<main>a B c</main>').mainKey)
    expect(body('<main>a b c</main>').mainKey).not.toBe(body('<main>a b d</main>').mainKey)
  })

  test('is read in the encoding of the header, of the page, or in UTF-8', () => {
    const latin = Buffer.from('<title>caf\xe9</title>', 'latin1')
    const page = (bytes: Buffer, charset: string | null) =>
      readDocument(bytes, charset, 'https://shop.test/', options).document.title
    expect(page(latin, 'iso-8859-1')).toBe('café')
    expect(page(Buffer.from('<title>café</title>'), null)).toBe('café')
    expect(
      page(Buffer.from('<meta charset=iso-8859-1><title>caf\xe9</title>', 'latin1'), null),
    ).toBe('café')
  })
})

test('5,000 nested elements are walked without a stack', () => {
  const depth = 5000
  const { main, document } = read(`${'<b>'.repeat(depth)}deep${'</b>'.repeat(depth)}`)
  expect(main).toBe('deep')
  expect(document.words).toBe(1)
})

describe('the head of a page', () => {
  test('has the first title with text, and not that of a picture', () => {
    expect(head('<title> </title><title>A  b</title>')).toMatchObject({
      title: 'A b',
      titleLength: 3,
    })
    expect(body('<svg><title>x</title></svg>').title).toBeNull()
  })

  test('has directives for all, and those that name a crawler apart', () => {
    const { document } = read('<meta name=ROBOTS content="NoIndex, max-snippet: 0">', {
      xRobotsTag: ['unavailable_after: 1 Jan 2030, noai', 'googlebot: nosnippet, none'],
    })
    expect(document.directives).toEqual(
      expect.arrayContaining(['noindex', 'max-snippet:0', 'noai']),
    )
    expect(document.crawlerDirectives).toEqual([
      { crawler: 'googlebot', directive: 'nosnippet' },
      { crawler: 'googlebot', directive: 'none' },
    ])
  })

  test('has the canonicals of distinct URLs, of the header too', () => {
    const { document } = read(
      '<link rel=canonical href=/x/#top><link rel="CANONICAL" href="http://shop.test/x">',
      { link: ['<https://shop.test/y>; rel="canonical", <https://shop.test/z>; rel=next'] },
    )
    expect(document.canonicals).toEqual(['https://shop.test/x/', 'https://shop.test/y'])
    expect(read('<body><link rel=canonical href=/x>').document.canonicals).toEqual([])
  })

  test.each([
    ['0; url=/c', 'https://shop.test/c'],
    ["30;URL='/c'", 'https://shop.test/c'],
    ['31; url=/c', null],
    ['5', null],
    ['0; url=/a/b/', null],
  ])('a refresh of %s leads to %s', (content, target) => {
    expect(head(`<meta http-equiv=Refresh content="${content}">`).refresh).toBe(target)
  })

  test.each([
    ['en', null],
    ['zh-Hant-TW', null],
    ['x-default', null],
    ['en-UK', '`en-UK` is no language code'],
    ['es-419', '`es-419` is no language code'],
  ])('hreflang %s has the fault %s', (code, fault) => {
    const link = `<link rel=alternate hreflang=${code} href=/a/b>`
    expect(head(link).hreflangFault).toBe(fault)
  })

  test('hreflang links that do not name the page are a fault', () => {
    expect(head('<link rel=alternate hreflang=en href=/c>').hreflangFault).toBe(
      'none names the page itself',
    )
    expect(head('').hreflangFault).toBeNull()
  })
})

test('links are own addresses, each once, without fragment, by the base of the page', () => {
  const { document } = read(
    '<head><base href="/base/"></head><a href="x#1">1</a><a href="x#2">2</a><a href="//www.shop.test/">3</a>' +
      '<a href="https://other.test/">4</a><a href="mailto:a@shop.test">5</a><area href="?q">',
  )
  expect(document.links).toEqual([
    'https://shop.test/base/x',
    'https://www.shop.test/',
    'https://shop.test/base/?q',
  ])
})
