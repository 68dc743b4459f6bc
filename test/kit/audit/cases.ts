import type { CheckId } from '../../../core/checks/checks.ts'
import {
  articleOf,
  articleParts,
  filler,
  type PageParts,
  pageOf,
  type Reply,
  redirectTo,
} from './page.ts'

export const site = 'http://shop.test'

/** Facts that only the service holds, to import for a page. */
export interface CaseFacts {
  readonly cited?: Readonly<Record<string, number>>
  /** Crawler, status, hits and the response time of each. The last one is the newest. One hit of GPTBot unless given. */
  readonly hits?: readonly (readonly [string, number, number, number?])[]
  readonly importedWords?: number
}

/** A page of the site, with the faults that it has until it is mended. */
export interface Case extends CaseFacts {
  readonly path: string
  /** Faults where the facts are imported. */
  readonly faults: readonly CheckId[]
  /** Faults without facts; the same unless given. */
  readonly plain?: readonly CheckId[]
  readonly planted: Reply
  readonly mended: Reply
  readonly notInSitemap?: true
  readonly isOrphan?: true
}

/** A path that makes no article of a page, as several hyphens would. */
const pathOf = (name: string, folder = 'case') => `/${folder}/${name.replaceAll('-', '')}`

/** A page that parts make faulty, and that is sound without them. */
function faulty(check: CheckId, parts: PageParts, more: Partial<Case> = {}, folder?: string): Case {
  const path = more.path ?? pathOf(check, folder)
  const make = folder === 'blog' ? articleOf : pageOf
  const address = site + path
  return { path, faults: [check], planted: make(address, parts), mended: make(address), ...more }
}

/** A page whose reply is the fault. */
const replying = (check: CheckId, planted: Reply, more: Partial<Case> = {}): Case =>
  faulty(check, {}, { planted, ...more })

const robots = (content: string) => ({ head: `<meta name=robots content="${content}">` })
const jsonLd = (node: object) => ({
  head: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`,
})
const html = (check: CheckId) => pageOf(site + pathOf(check)).body ?? ''
const bare = { main: '' }

const technical: readonly Case[] = [
  replying('unreachable', { isSilent: true }),
  replying('server-error', { status: 500 }),
  replying('client-error', { status: 403 }),
  replying('page-not-found', { status: 404 }),
  faulty('soft-404', { title: 'Page not found' }),
  replying('redirect-loop', redirectTo(pathOf('redirect-loop'))),
  replying('redirect-off-site', redirectTo('https://elsewhere.example/')),
  replying('wrong-content-type', {
    headers: { 'Content-Type': 'text/plain' },
    body: html('wrong-content-type'),
  }),
  replying('redirect-chain', redirectTo('/moved')),
  replying('redirected-page', redirectTo('/landing')),
  faulty('meta-refresh-redirect', {
    head: '<meta http-equiv=refresh content="5; url=/landing">',
  }),
  faulty('charset-conflict', { head: '<meta charset=iso-8859-1>' }),
  faulty('page-too-large', { more: `<!--${'x'.repeat(2_000_000)}-->` }),
  faulty('dom-too-deep', { more: '<div>'.repeat(300) + '</div>'.repeat(300) }),
  faulty('uncompressed-html', { more: `<!--${'x'.repeat(50_000)}-->` }),
  replying('slow-response', { ...pageOf(site + pathOf('slow-response')), delayMs: 1600 }),
  faulty('mixed-content', { more: '<img alt="" src="http://cdn.example/a.png">' }),
  faulty('noindex-in-sitemap', robots('noindex')),
  faulty('noindex', robots('none'), { notInSitemap: true }),
  faulty('canonical-missing', { canonical: '' }),
  faulty('canonical-multiple', { head: '<link rel=canonical href="/landing">' }),
  faulty('canonical-broken', { canonical: '<link rel=canonical href="/nowhere">' }),
  faulty('canonical-off-site', {
    canonical: '<link rel=canonical href="https://elsewhere.example/">',
  }),
  faulty('canonical-elsewhere', { canonical: '<link rel=canonical href="/landing">' }),
  faulty('broken-internal-links', { more: '<a href="/nowhere">a</a>' }),
  faulty('links-to-redirects', { more: '<a href="/moved">a</a>' }),
  faulty('orphan-page', {}, { isOrphan: true }),
  faulty('page-not-in-sitemap', {}, { notInSitemap: true }),
  faulty('language-missing', { lang: '' }),
  faulty('hreflang-invalid', { head: '<link rel=alternate hreflang=en-UK href="">' }),
  faulty('viewport-missing', { viewport: '' }),
]

/** Two pages that share something. */
function twins(check: CheckId, parts: (path: string) => PageParts): Case[] {
  return ['one', 'two'].map((name) => {
    const path = `${pathOf(check)}${name}`
    return faulty(check, parts(path), { path })
  })
}

const content: readonly Case[] = [
  faulty('title-missing', { title: ' ' }),
  ...twins('title-duplicate', () => ({ title: 'Acme on everything' })),
  faulty('title-length', { title: 'Acme' }),
  faulty('description-missing', { description: '' }),
  ...twins('description-duplicate', () => ({
    description: `<meta name=description content="${'Acme says it all. '.repeat(4)}">`,
  })),
  faulty('description-length', { description: '<meta name=description content="Acme.">' }),
  faulty('h1-missing', { h1: '' }),
  faulty('h1-multiple', { more: '<h1>Once more</h1>' }),
  faulty('heading-order-skip', { more: '<h3>Deep</h3>' }),
  faulty('thin-content', { text: 'Acme.' }),
  ...twins('duplicate-content', () => ({ h1: 'Acme', text: filler('same', 60) })),
  faulty('image-alt-missing', { more: '<img src="/a.png">' }),
  faulty('placeholder-text', { more: '<p>Lorem ipsum dolor</p>' }),
  faulty('author-missing', { more: articleParts.dated }, {}, 'blog'),
]

const aiReadiness: readonly Case[] = [
  faulty('content-needs-javascript', {
    body: '<div id=root></div><script src="/app.js"></script>',
  }),
  faulty('structured-data-missing', bare, {}, 'products'),
  faulty('structured-data-invalid', {
    head: '<script type="application/ld+json">{ "@type": }</script>',
  }),
  faulty('structured-data-incomplete', jsonLd({ '@type': 'Organization', name: 'Acme' })),
  faulty('structured-data-contradicts-page', jsonLd({ '@type': 'WebPage', name: 'Quite another' })),
  faulty('date-missing', { more: articleParts.byline }, {}, 'blog'),
  faulty('snippet-forbidden', robots('nosnippet')),
  faulty('ai-meta-blocked', { head: '<meta name=GPTBot content=noindex>' }),
  faulty('main-content-unmarked', {
    body: `<h1>Acme</h1><p ${'itemscope itemtype="https://schema.org/WebPage"'}>${filler('unmarked', 120)}</p>`,
  }),
  faulty('no-headings-in-long-text', { text: filler('long', 620) }),
  faulty('question-without-answer', { more: '<h2>And why?</h2>' }),
  faulty(
    'brand-not-named',
    {
      title: 'A shoe for every day',
      h1: 'A shoe',
      description:
        '<meta name=description content="A shoe for every day, for every foot, in every colour.">',
    },
    {},
    'products',
  ),
]

/** Pages whose faults need facts. `plain` holds the faults that remain without facts. */
const cited = { cited: { claude: 3 } }
const factual: readonly Case[] = [
  replying('cited-page-missing', { status: 404 }, { ...cited, plain: ['page-not-found'] }),
  replying('cited-page-redirects', redirectTo('/landing'), {
    ...cited,
    plain: ['redirected-page'],
  }),
  faulty(
    'cited-page-404-to-crawlers',
    { more: articleParts.dated },
    {
      ...cited,
      plain: [],
      hits: [
        ['GPTBot', 200, 5],
        ['ClaudeBot', 404, 1],
      ],
    },
  ),
  faulty('cited-page-noindex', robots('noindex'), { ...cited, plain: ['noindex-in-sitemap'] }),
  faulty(
    'cited-url-not-canonical',
    { canonical: '<link rel=canonical href="/landing">' },
    { ...cited, plain: ['canonical-elsewhere'] },
  ),
  faulty('cited-page-without-structured-data', bare, { ...cited, plain: [] }),
  faulty(
    'cited-page-stale',
    { more: `<time datetime="2020-01-01">then</time>${articleParts.byline}` },
    { ...cited, plain: [] },
    'blog',
  ),
  faulty(
    'cited-page-not-in-sitemap',
    {},
    { ...cited, plain: ['page-not-in-sitemap'], notInSitemap: true },
  ),
  faulty(
    'crawlers-refused',
    { more: articleParts.dated },
    {
      plain: [],
      hits: [
        ['ClaudeBot', 403, 4],
        ['GPTBot', 200, 2],
      ],
    },
  ),
  faulty(
    'crawlers-redirected',
    { more: articleParts.dated },
    { plain: [], hits: [['ClaudeBot', 301, 5]] },
  ),
  faulty(
    'slow-for-crawlers',
    { more: articleParts.dated },
    { plain: [], hits: [['GPTBot', 200, 5, 2500]] },
  ),
  faulty('top-crawled-page-without-date', {}, { plain: [], hits: [['GPTBot', 200, 90]] }),
  faulty('not-crawled-by-ai', {}, { plain: [], hits: [] }),
  faulty('content-partly-needs-javascript', {}, { plain: [], importedWords: 200 }),
  faulty(
    'competitor-cited-for-own-topic',
    { title: 'Acme shoes for trail running', h1: 'Trail running' },
    { plain: [] },
  ),
]

/** Pages that robots.txt of the planted site forbids to all, or to PerplexityBot. */
const forbidden: readonly Case[] = [
  faulty('robots-blocks-page', {}, { path: '/private/all' }),
  faulty('ai-bots-blocked-page', {}, { path: '/private/bots' }),
  faulty(
    'cited-page-blocked',
    {},
    { path: '/private/cited', cited: { perplexity: 2 }, plain: ['ai-bots-blocked-page'] },
  ),
]

/** Every page of `http://shop.test` but the home page and `/all`, which links to the others. */
export const cases: readonly Case[] = [
  ...technical,
  ...content,
  ...aiReadiness,
  ...factual,
  ...forbidden,
]
