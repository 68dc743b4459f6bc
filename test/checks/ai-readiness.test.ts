import { describe, expect, test } from 'vitest'
import {
  faultsOf,
  judgeFirst,
  origin,
  readPage,
  robotsOf,
  siteFacts,
  soundHead,
  soundRobots,
  words,
} from './facts.ts'

const url = `${origin}/plain`
const head = soundHead(url)
const withHead = (html: string) => readPage({ head: head + html })
const script = (json: unknown) =>
  `<script type="application/ld+json">${typeof json === 'string' ? json : JSON.stringify(json)}</script>`
const schema = (node: object) => script({ '@context': 'https://schema.org', ...node })
const typed = '<p itemscope itemtype="https://schema.org/Article">'
/** A page at a path that says its kind, with a date, an author and structured data. */
const ofKind = (path: string, body: string, more = '') =>
  readPage({
    url: origin + path,
    head: soundHead(origin + path) + more,
    body: `<main><h1>Acme</h1>${words(210)}${body}</main>`,
  })
const dated = '<time datetime=2026-06-01></time><a rel=author>Me</a>'

describe('a page that scripts fill', () => {
  const page = (body: string, count: number) =>
    readPage({ head: `${head}<script src=/a.js></script>`, body: `${words(count)}${body}` })

  test.each([
    ['<div id=root></div>', 49, ['content-needs-javascript']],
    ['<div id=root></div>', 50, []],
    ['<div id=root>x</div>', 10, undefined],
    ['<app-root></app-root>', 10, ['content-needs-javascript']],
    ['<noscript>Please enable JavaScript.</noscript>', 10, ['content-needs-javascript']],
    ['<noscript>x</noscript>', 10, undefined],
  ])('%s with %i words', (body, count, faults) => {
    const found = faultsOf([page(body, count)])
    if (faults?.length === 1) expect(found).toEqual(faults)
    else expect(found).not.toContain('content-needs-javascript')
  })

  test('has no other checks of content and AI readiness, and counts its AI hits', () => {
    const hits = {
      byCrawler: [{ crawler: 'GPTBot', status: 200, hits: 7 }],
      newest: [],
      timed: 0,
      medianMs: null,
    }
    const verdict = judgeFirst([{ ...page('<div id=app></div>', 1), hits }])
    expect(verdict.findings).toMatchObject([{ affectedCount: 7 }])
    expect(verdict.evaluated).not.toContain('h1-missing')
    expect(verdict.evaluated).not.toContain('snippet-forbidden')
    expect(verdict.evaluated).toContain('viewport-missing')
  })
})

describe('structured data', () => {
  test.each([
    ['/plain', []],
    ['/products/shoe', ['structured-data-missing']],
    ['/blog/shoe', ['structured-data-missing']],
  ])('may be missing at %s: %j', (path, faults) => {
    expect(faultsOf([ofKind(path, dated)])).toEqual(faults)
    expect(faultsOf([ofKind(path, dated + typed)])).toEqual([])
  })

  test.each([
    ['{', ['structured-data-invalid']],
    ['[]', ['structured-data-invalid']],
    [{ '@type': 'Thing' }, ['structured-data-invalid']],
    [{ '@context': 'https://other.org', '@type': 'Thing' }, ['structured-data-invalid']],
    [{ '@context': 'https://schema.org', name: 'x' }, ['structured-data-invalid']],
    [{ '@context': 'http://schema.org/', '@id': 'x' }, []],
    [[{ '@context': { '@vocab': 'https://schema.org/' }, '@type': 'Thing' }], []],
    [{ '@context': ['https://schema.org'], '@graph': [{ '@type': 'Thing' }] }, []],
    [{ '@context': 'https://schema.org', '@graph': [{}] }, ['structured-data-invalid']],
  ])('%j has the faults %j', (json, faults) => {
    expect(faultsOf([withHead(script(json))])).toEqual(faults)
  })

  test('that is broken names the line of the fault', () => {
    const { findings } = judgeFirst([withHead(`\n${script('{\n "a": 1,\n}')}`)])
    expect(findings).toMatchObject([
      { check: 'structured-data-invalid', evidence: [{ line: 4, text: 'The block is no JSON.' }] },
    ])
  })

  test.each([
    [{ '@type': 'Product', name: 'Acme', offers: {} }, 0],
    [{ '@type': 'Product', name: 'Acme' }, 1],
    [{ '@type': 'Product' }, 2],
    [{ '@type': 'NewsArticle', headline: 'Acme' }, 2],
    [{ '@type': 'Organization', name: 'Acme' }, 1],
    [{ '@type': 'FAQPage', mainEntity: [] }, 1],
    [{ '@type': ['Thing', 'BreadcrumbList'] }, 1],
    [{ '@type': 'WebSite' }, 0],
  ])('%j lacks %i properties', (node, n) => {
    const { findings } = judgeFirst([withHead(schema(node))])
    expect(findings.map(({ affectedCount }) => affectedCount)).toEqual(n === 0 ? [] : [n])
    expect(findings[0]?.check ?? 'structured-data-incomplete').toBe('structured-data-incomplete')
  })

  test.each([
    [{ name: 'ACME', offers: { price: '1299.00' } }, '1.299,00 €', []],
    [{ name: 'Acme', offers: [{ price: 12.5 }] }, '$12.50', []],
    [{ name: 'Acme', offers: { price: 1299 } }, '1 299 kr', []],
    [{ name: 'Acme', offers: { price: 13 } }, '$12.50', ['structured-data-contradicts-page']],
    [{ name: 'Zeta', offers: {} }, '', ['structured-data-contradicts-page']],
  ])('%j on a page with "%s" has the faults %j', (product, text, faults) => {
    const html = `<main><h1>Acme</h1><p>${text}</p>${words(60).replaceAll(/\d/g, 'x')}</main>`
    const page = readPage({ head: head + schema({ '@type': 'Product', ...product }), body: html })
    expect(faultsOf([page])).toEqual(faults)
  })
})

describe('the date of an article', () => {
  const article = (html: string) => ofKind('/blog/shoe', `${typed}<a rel=author>Me</a>${html}`)

  test.each([
    ['', ['date-missing']],
    ['<time datetime=2026-06-16>', []],
    ['<time datetime=2026-06-17>', ['date-missing']],
    ['<time datetime=1989-12-31>', ['date-missing']],
    ['<time datetime=12:30>', ['date-missing']],
    ['<b itemprop=datePublished>2026-01-01</b>', []],
    ['<meta property=article:modified_time content=2026-01-01T10:00:00+02:00>', []],
  ])('is read of %s: %j', (html, faults) => {
    expect(faultsOf([article(html)])).toEqual(faults)
  })
})

describe('directives', () => {
  test.each([
    ['nosnippet', ['snippet-forbidden']],
    ['max-snippet:0', ['snippet-forbidden']],
    ['max-snippet:10', []],
    ['noindex,nosnippet', ['noindex-in-sitemap']],
    ['noai', ['ai-meta-blocked']],
    ['noimageai', []],
  ])('%s have the faults %j', (content, faults) => {
    expect(faultsOf([withHead(`<meta name=robots content="${content}">`)])).toEqual(faults)
  })

  test.each([
    ['<meta name=GPTBot content=noindex>', ['ai-meta-blocked']],
    ['<meta name=googlebot content=nosnippet>', ['ai-meta-blocked']],
    ['<meta name=googlebot content=noarchive>', []],
    ['<meta name=semrushbot content=noindex>', []],
  ])('%s has the faults %j', (html, faults) => {
    expect(faultsOf([withHead(html)])).toEqual(faults)
  })

  test('of the header that name crawlers are counted by crawlers', () => {
    const page = readPage({ options: { xRobotsTag: ['bingbot: none', 'ClaudeBot: noindex'] } })
    expect(judgeFirst([page]).findings).toMatchObject([
      { check: 'ai-meta-blocked', affectedCount: 2 },
    ])
  })
})

describe('the form of the text', () => {
  test.each([
    [`<h1>Acme</h1><p>${words(99)}`, ['main-content-unmarked']],
    [`<h1>Acme</h1><p>${words(98)}`, []],
    [`<article><h1>Acme</h1><p>${words(150)}</article>`, []],
    [`<main><h1>Acme</h1>${words(599)}</main>`, ['no-headings-in-long-text']],
    [`<main><h1>Acme</h1>${words(598)}</main>`, []],
    [`<main><h1>Acme</h1>${words(599)}<h2>a</h2></main>`, []],
    [
      `<main><h1>Acme</h1>${words(60)}<h2>Why?</h2>a b c d<h2>x</h2></main>`,
      ['question-without-answer'],
    ],
    [`<main><h1>Acme</h1>${words(60)}<h2>Why?</h2>a b c d e<h2>x</h2></main>`, []],
    [`<main><h1>Why?</h1><h2>a</h2>${words(60)}</main>`, []],
  ])('%#: %s has the faults %j', (body, faults) => {
    expect(faultsOf([readPage({ body })])).toEqual(faults)
  })

  test('names the brand in title or main text of a home page, product or comparison', () => {
    const page = (path: string, title: string) =>
      readPage({
        url: origin + path,
        head: soundHead(origin + path, title),
        body: `<main><h1>Shoes</h1>${words(100)}${typed}</main><footer>Acme</footer>`,
      })
    expect(faultsOf([page('/products/shoe', 'A page on shoes')])).toEqual(['brand-not-named'])
    expect(faultsOf([page('/products/shoe', 'A shoe of ACME')])).toEqual([])
    expect(faultsOf([page('/plain', 'A page on shoes')])).toEqual([])
  })
})

test('crawlers of answers that may read the home page but not the page are counted', () => {
  const site = (rule: string) => {
    const text = `${soundRobots}User-agent: PerplexityBot\nUser-agent: Googlebot\n${rule}\n`
    const origins = siteFacts().origins.map((facts) => ({ ...facts, robots: robotsOf(text) }))
    return judgeFirst([readPage()], { origins }).findings
  }
  expect(site('Disallow: /plain')).toMatchObject([
    { check: 'ai-bots-blocked-page', affectedCount: 2, evidence: [{ line: 6 }, { line: 6 }] },
  ])
  expect(site('Disallow: /')).toEqual([])
})
