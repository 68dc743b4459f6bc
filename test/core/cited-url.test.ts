import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { citedPage, citedUrl, isMainHost, pageKey, variantsOf } from '../../core/sites/cited-url.ts'
import { sourceTypeOfPage } from '../../core/sites/source-types.ts'
import { domainOf, hostOf } from '../../core/sites/urls.ts'
import { countCitations } from '../../imports/answers/citations.ts'

const page = 'https://rtings.com/tv?a=1'
const coded = encodeURIComponent(page)
const bing = `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from(page).toString('base64url')}&ntb=1`

describe('a redirector is unwrapped', () => {
  test.each([
    `https://www.google.com/url?q=${coded}&sa=U`,
    `https://google.co.uk/url?sa=t&url=${coded}`,
    bing,
    `https://l.facebook.com/l.php?u=${coded}&h=AT1`,
    `http://lm.facebook.com/l.php?u=${coded}`,
    `https://out.reddit.com/t3_1?url=${coded}&token=x`,
    `https://duckduckgo.com/l/?uddg=${coded}&rut=1`,
    `https://t.umblr.com/redirect?z=${coded}&t=1`,
    `https://href.li/?${page}`,
    'https://rtings-com.cdn.ampproject.org/c/s/rtings.com/tv?a=1',
    'https://www.google.com/amp/s/rtings.com/tv?a=1',
    `https://www.google.com/url?q=${encodeURIComponent(bing)}`,
    'https://rtings.com/tv/?a=1&amp;utm_source=x#top',
    `https://web.archive.org/web/20250101000000/${page}`,
    'https://web.archive.org/web/2025id_/http:/rtings.com/tv?a=1',
    `https://r.jina.ai/${page}`,
    'https://rtings-com.translate.goog/tv?a=1&_x_tr_sl=en&_x_tr_tl=de',
    `https://translate.google.com/translate?sl=en&u=${coded}`,
  ])('%s', (address) => {
    expect(citedPage(address, 'Best TV')).toEqual({
      url: page,
      host: 'rtings.com',
      domain: 'rtings.com',
    })
  })

  const vertex = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC'
  test.each([
    ['by a title that is a domain', vertex, 'www.Rtings.com', 'rtings.com'],
    ['by a title that is an international domain', vertex, 'www.münchen.de', 'xn--mnchen-3ya.de'],
    ['not by another title', vertex, 'Best TV of 2025', ''],
    ['not without a target', 'https://www.google.com/url?sa=t', '', ''],
    ['not of a list of results', 'https://www.google.com/search?q=tv', '', ''],
    ['not of a place', 'https://www.google.com/viewer/place?mid=/g/1', '', ''],
    ['not of a coded target', 'https://www.google.com/goto?url=CAESf', '', ''],
    ["not of an assistant's own files", 'https://chatgpt.com/backend-api/files/1', '', ''],
    ["not of an assistant's own pictures", 'https://images.openai.com/a?purpose=x', '', ''],
    ['not to another scheme', 'https://www.google.com/url?q=javascript:1', '', ''],
    ['not by damaged base64', 'https://www.bing.com/ck/a?u=a1%25', '', ''],
  ])('its site is known %s', (_name, address, title, domain) => {
    expect(citedPage(address, title)).toMatchObject({ host: '', domain })
  })

  test('at most five times', () => {
    const wrap = (times: number): string =>
      times === 0 ? page : `https://www.google.com/url?q=${encodeURIComponent(wrap(times - 1))}`
    const domains = [4, 5, 6].map((times) => citedPage(wrap(times), '')?.domain)
    expect(domains).toEqual(['rtings.com', 'rtings.com', ''])
  })

  test.each([
    'https://www.google.com/maps/place/acme',
    'https://chatgpt.com/g/acme',
    'https://www.bing.com/search?q=tv',
    'https://www.facebook.com/acme',
    'https://notgoogle.com/url?q=https://a.com',
    'https://google.com.evil.org/url?q=https://a.com',
  ])('%s is a page of its own', (address) => {
    expect(citedPage(address, '')?.domain).toBe(domainOf(hostOf(address)))
  })
})

describe('an address is read as people write it', () => {
  test.each([
    'rtings.com/tv?a=1',
    '//rtings.com/tv?a=1',
    ' https://rtings.com/tv?a=1 ',
    'RTINGS.com./tv?a=1',
    'rtings.com:443/tv?a=1',
    '<https://rtings.com/tv?a=1>',
    '<rtings.com/tv?a=1>',
    '[Best TV](https://rtings.com/tv?a=1)',
    '[Best TV](<https://rtings.com/tv?a=1> "The best")',
  ])('%s', (address) => {
    expect(citedPage(address, '')?.url).toBe(page)
  })

  test.each(['https://de.wikipedia.org/wiki/Acme_(Marke)', 'https://acme.com/(a)'])(
    '%s keeps its brackets',
    (address) => {
      expect([citedUrl(address), citedUrl(`[x](${address})`)]).toEqual([address, address])
    },
  )

  test.each([
    '',
    'Best TV',
    'report.pdf',
    'data:image/png;base64,AA==',
    'blob:https://a.com/1',
    'mailto:a@b.com',
    '/tv',
  ])('`%s` is none', (address) => {
    expect(citedUrl(address)).toBeNull()
  })
})

describe('one page', () => {
  test.each([
    ['https://a.com./b', 'https://a.com/b'],
    [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    ],
    ['https://youtu.be/dQw4w9WgXcQ?si=x', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
    ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
    [
      'https://www.amazon.de/Name-Of-It/dp/B0ABCDEFGH/ref=sr_1_1?th=1',
      'https://www.amazon.de/dp/B0ABCDEFGH',
    ],
    ['https://amazon.com/gp/product/B0ABCDEFGH', 'https://amazon.com/dp/B0ABCDEFGH'],
    ['https://a.com/b/index.html', 'https://a.com/b'],
    ['https://a.com/index.php?id=1', 'https://a.com/?id=1'],
    ['https://a.com/indexes.html', 'https://a.com/indexes.html'],
    ['https://a.com/#!/shop', 'https://a.com/#!/shop'],
    ['https://a.com/?msclkid=1&gbraid=2&wbraid=3&b=4&_ga=5&yclid=6', 'https://a.com/?b=4'],
    ['https://a.com/?mc_cid=1&mc_eid=2&igshid=3&ref_src=4&dclid=5', 'https://a.com/'],
    ['https://a.com/?game=1&gas=2&yc=3', 'https://a.com/?game=1&gas=2&yc=3'],
  ])('%s is %s', (address, url) => {
    expect(citedUrl(address)).toBe(url)
    expect(citedUrl(url)).toBe(url)
  })

  test('twice gives what once gave', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const once = citedUrl(address)
        expect(once === null ? null : citedUrl(once)).toBe(once)
      }),
    )
  })

  test('hosts of the same site', () => {
    const hosts = ['a.com', 'www.a.com', 'm.a.com', 'old.a.com', 'blog.a.com', 'm.blog.a.com']
    expect(hosts.filter((host) => isMainHost(host, 'a.com'))).toEqual(hosts.slice(0, 4))
  })

  test('is one citation of an answer', () => {
    const urls = ['https://youtu.be/dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ']
    const given = urls.map((url, position) => ({ url, position: position + 1, title: '' }))
    expect(countCitations(given)).toMatchObject([{ position: 1, url: urls[1] }])
  })
})

test.each([
  ['https://unknown.com/products/tv?variant=1', 'third_party'],
  ['https://unknown.com/en/p/tv-55/', 'third_party'],
  ['https://unknown.com/collections/tv', 'third_party'],
  ['https://unknown.com/tv?variant=1', 'third_party'],
  ['https://forum.unknown.com/tv', 'forum'],
  ['https://unknown.com/forum/threads/tv.1', 'forum'],
  ['https://unknown.com/best-tv', 'other'],
  ['https://unknown.com/productive/tv', 'other'],
  ['https://unknown.com/blogs/news/tv', 'other'],
  ['https://unknown.gob.mx/products/tv', 'institutional'],
  ['https://reddit.com/r/tv/products/1', 'forum'],
  ['https://rtings.com/products/tv', 'review'],
])('%s is of a source of type %s', (url, type) => {
  expect(sourceTypeOfPage(url, domainOf(hostOf(url)))).toBe(type)
})

describe('one page is one page', () => {
  test.each([
    ['https://en.m.wikipedia.org/wiki/Running', 'https://en.wikipedia.org/wiki/Running'],
    ['https://mobile.www.cars.com/a', 'https://www.cars.com/a'],
    ['https://example.com/a?b=2&a=1', 'https://example.com/a?a=1&b=2'],
    ['https://example.com/a?a=2&a=1', 'https://example.com/a?a=2&a=1'],
    ['https://example.com/%7Eann/caf%c3%a9', 'https://example.com/~ann/caf%C3%A9'],
    ['https://example.com/a%2Fb', 'https://example.com/a%2Fb'],
    ['https://example.com/?q=a%26b', 'https://example.com/?q=a%26b'],
    ['https://www.example.com/a', 'https://www.example.com/a'],
  ])('%s is known as %s', (address, expected) => {
    expect(citedUrl(address)).toBe(expected)
  })

  test.each([
    ['https://www.example.com/a/', 'https://example.com/a'],
    ['https://m.example.com/a', 'https://example.com/a'],
    ['https://amp.example.com/a?b=1&a=2', 'https://www.example.com/a?a=2&b=1'],
    ['https://old.reddit.com/r/a', 'https://www.reddit.com/r/a'],
    ['https://de.m.wikipedia.org/wiki/A', 'https://de.wikipedia.org/wiki/A'],
    ['https://youtu.be/abcdefghijk', 'https://m.youtube.com/watch?v=abcdefghijk'],
  ])('%s and %s are one', (one, other) => {
    expect(pageKey(one)).toBe(pageKey(other))
  })

  test.each([
    ['https://blog.example.com/a', 'https://example.com/a'],
    ['https://de.wikipedia.org/wiki/A', 'https://en.wikipedia.org/wiki/A'],
    ['https://m.com/a', 'https://amp.com/a'],
    ['https://example.com/a?id=1', 'https://example.com/a?id=2'],
    ['https://example.com/A', 'https://example.com/a'],
    ['https://example.com:8443/a', 'https://example.com/a'],
    ['https://example.com/#!/a', 'https://example.com/#!/b'],
  ])('%s and %s are two', (one, other) => {
    expect(pageKey(one)).not.toBe(pageKey(other))
  })

  test('a page may be stored on any host that shows its site', () => {
    expect(variantsOf('https://example.com/a')).toEqual(
      ['', 'www.', 'm.', 'mobile.', 'amp.', 'old.', 'touch.'].map(
        (label) => `https://${label}example.com/a`,
      ),
    )
    expect(variantsOf('https://www.example.com/a')).toContain('https://example.com/a')
    expect(variantsOf('https://www.blog.example.com/a')).toContain('https://blog.example.com/a')
    expect(variantsOf('https://192.0.2.1/a')).toEqual(['https://192.0.2.1/a'])
  })

  test('an answer that cites a page on two hosts cites it once, as it cites it first', () => {
    const given = ['https://www.example.com/a', 'https://example.com/a', 'https://m.example.com/b']
    const counted = countCitations(given.map((url, at) => ({ url, title: '', position: at + 1 })))
    expect(counted.map(({ url }) => url)).toEqual([given[0], given[2]])
  })

  test('what is read of an address is the same when it is read again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const url = citedUrl(address)
        expect(url === null ? null : citedUrl(url)).toBe(url)
        expect(url === null || pageKey(url) === pageKey(address)).toBe(true)
      }),
    )
  })
})
