import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  domainOf,
  hostOf,
  hostOfText,
  normaliseUrl,
  parseDomainInput,
} from '../../core/sites/urls.ts'
import { realData } from '../kit/real-data.ts'

const real = realData('data/answers-product-bench.jsonl')

describe('normaliseUrl', () => {
  test.each([
    ['http becomes https', 'http://sony.com/tv', 'https://sony.com/tv'],
    [
      'the host is lower-case, the path is not',
      'HTTPS://WWW.Sony.COM/TV',
      'https://www.sony.com/TV',
    ],
    ['no port 80 of http', 'http://sony.com:80/tv', 'https://sony.com/tv'],
    ['no port 443 of https', 'https://sony.com:443/tv', 'https://sony.com/tv'],
    ['no port 443 once http became https', 'http://sony.com:443/tv', 'https://sony.com/tv'],
    ['any other port stays', 'http://sony.com:8080/tv', 'https://sony.com:8080/tv'],
    ['no fragment', 'https://sony.com/tv#:~:text=Best%20TV,of%202025', 'https://sony.com/tv'],
    ['no trailing slash', 'https://sony.com/tv/', 'https://sony.com/tv'],
    ['no trailing slash before a query', 'https://sony.com/tv/?a=1', 'https://sony.com/tv?a=1'],
    ['no trailing slashes', 'https://sony.com/tv//', 'https://sony.com/tv'],
    ['the slash of the root stays', 'https://sony.com', 'https://sony.com/'],
    ['slashes alone are the root', 'https://sony.com//', 'https://sony.com/'],
    ['no question mark without a query', 'https://sony.com/tv?', 'https://sony.com/tv'],
    ['no utm_ parameters', 'https://sony.com/?utm_source=chatgpt.com&utm_x=1', 'https://sony.com/'],
    ['no question mark before nothing', 'https://sony.com/?&utm_x=1', 'https://sony.com/'],
    ['no click ids', 'https://sony.com/?gclid=1&a=2&fbclid=3&srsltid=4', 'https://sony.com/?a=2'],
    [
      'other names stay',
      'https://sony.com/?utmx=1&xgclid=2&gclidx=3',
      'https://sony.com/?utmx=1&xgclid=2&gclidx=3',
    ],
    [
      'the order of parameters stays',
      'https://sony.com/?b=2&utm_id=9&a=1&b=1',
      'https://sony.com/?b=2&a=1&b=1',
    ],
    [
      'the spelling of parameters stays',
      'https://sony.com/?q=a+b%20c&gclid=1&e&f=',
      'https://sony.com/?q=a+b%20c&e&f=',
    ],
    ['percent-encoding stays', 'https://sony.com/a%2Fb%c3%a9', 'https://sony.com/a%2Fb%c3%a9'],
    ['double slashes inside stay', 'https://sony.com/a//b', 'https://sony.com/a//b'],
    ['user and password go', 'https://me:secret@sony.com/tv', 'https://sony.com/tv'],
    [
      'an international host is punycode',
      'https://MÜNCHEN.de/ü',
      'https://xn--mnchen-3ya.de/%C3%BC',
    ],
    ['white space around goes', '  https://sony.com/tv \n', 'https://sony.com/tv'],
  ])('%s', (_, text, url) => {
    expect(normaliseUrl(text)).toBe(url)
  })

  test.each([
    '',
    'sony.com',
    '/tv',
    'ftp://sony.com/',
    'mailto:a@sony.com',
    'javascript:1',
    'https://',
    'https://a b/',
    'data:,x',
  ])('null for %j', (text) => {
    expect(normaliseUrl(text)).toBeNull()
  })

  test('twice gives what once gave', () => {
    const query = fc.array(
      fc.tuple(
        fc.constantFrom('utm_a', 'gclid', 'q', 'p%20', ''),
        fc.constantFrom('', '=', '=1/', '=%23'),
      ),
    )
    const written = fc
      .tuple(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        query,
        fc.constantFrom('', '/', '//', '#x'),
      )
      .map(([url, pairs, end]) => `${url}${end}?${pairs.map((pair) => pair.join('')).join('&')}`)
    fc.assert(
      fc.property(fc.oneof(written, fc.webUrl(), fc.string()), (text) => {
        const once = normaliseUrl(text)
        if (once !== null) expect(normaliseUrl(once)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })

  test.skipIf(real.isAbsent)(
    'every cited URL of the real answers is one, without fragment and tracking',
    () => {
      const answers = real.lines.map((line) => JSON.parse(line) as { citations: { url: string }[] })
      const urls = answers.flatMap((answer) =>
        answer.citations.map((citation) => normaliseUrl(citation.url)),
      )
      expect(urls).toHaveLength(2790)
      for (const url of urls) expect(url).toMatch(/^https:\/\/(?!.*(?:#|[?&]utm_|[?&]srsltid))/)
    },
  )
})

describe('hostOf and domainOf', () => {
  test.each([
    ['https://en.wikipedia.org/wiki/Sony', 'en.wikipedia.org', 'wikipedia.org'],
    ['https://a.github.io/x', 'a.github.io', 'a.github.io'],
    ['https://shop.a.github.io/x', 'shop.a.github.io', 'a.github.io'],
    ['https://www.bbc.co.uk/', 'www.bbc.co.uk', 'bbc.co.uk'],
    ['https://sony.com./tv', 'sony.com', 'sony.com'],
    [
      'https://www.xn--85x722f.xn--55qx5d.cn/',
      'www.xn--85x722f.xn--55qx5d.cn',
      'xn--85x722f.xn--55qx5d.cn',
    ],
    ['https://github.io/', 'github.io', 'github.io'],
    ['https://192.168.0.1:8080/', '192.168.0.1', '192.168.0.1'],
    ['https://[2001:db8::1]/', '[2001:db8::1]', '[2001:db8::1]'],
    ['https://localhost:3000/', 'localhost', 'localhost'],
    ['https://wiki.corp/', 'wiki.corp', 'wiki.corp'],
  ])('%s is of host %s and domain %s', (url, host, domain) => {
    expect(hostOf(url)).toBe(host)
    expect(domainOf(host)).toBe(domain)
  })

  test('a domain is its own domain', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        const domain = domainOf(host.toLowerCase())
        expect(domainOf(domain)).toBe(domain)
      }),
    )
  })
})

describe('hostOfText', () => {
  test.each([
    ['WWW.Sony.com', 'www.sony.com'],
    [' sony.com. ', 'sony.com'],
    ['sony.com:8443', 'sony.com'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['straße。de', 'xn--strae-oqa.de'],
    ['[::1]', '[::1]'],
    ['(Not Set)', '(not set)'],
    ['Sony.com/tv', 'sony.com/tv'],
    ['', ''],
  ])('%j is %s', (text, host) => {
    expect(hostOfText(text)).toBe(host)
  })
})

describe('parseDomainInput', () => {
  test.each([
    ['https://www.Sony.com/de', 'sony.com'],
    ['sony.com', 'sony.com'],
    ['Sony.com.', 'sony.com'],
    [' //store.sony.co.jp/x?y=1 ', 'sony.co.jp'],
    ['sony.com:8443', 'sony.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['a.github.io', 'a.github.io'],
    ['github.io', 'github.io'],
    ['www.github.io', 'github.io'],
    ['www.gov.uk', 'www.gov.uk'],
  ])('%j means %s', (text, domain) => {
    expect(parseDomainInput(text)).toBe(domain)
  })

  test.each([
    '',
    ' ',
    'Sony',
    'sony tv',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'co.uk',
    'ftp://sony.com',
    'so!ny.com',
    '..',
  ])('%j names no domain', (text) => {
    expect(parseDomainInput(text)).toBeNull()
  })
})
