import { builtinBots } from '../../core/bots/bots.ts'
import type { CheckId } from '../../core/checks/checks.ts'
import type { Brand } from '../../core/text/mentions.ts'
import type { PageFacts, SiteFacts } from '../../site/checks/facts.ts'
import { judge } from '../../site/checks/verdicts.ts'
import type { ReadOptions } from '../../site/document/document.ts'
import { readDocument } from '../../site/document/read.ts'
import type { Answer, PageOutcome, RobotsReading } from '../../site/reading.ts'

/** Facts of an audit of `https://shop.test`, for tests of single checks. All is well unless a test says otherwise. */

export const origin = 'https://shop.test'
export const startedAt = new Date('2026-06-15T12:00:00Z')

const brand: Brand = {
  id: 'own',
  isOwn: true,
  names: [{ text: 'Acme', caseSensitive: false }],
  domains: ['shop.test'],
}

const readOptions: ReadOptions = {
  xRobotsTag: [],
  link: [],
  ownDomains: ['shop.test'],
  brand,
  now: startedAt,
}

/** `count` different words. */
export const words = (count: number) =>
  Array.from({ length: count }, (_, i) => `word${i + 1}`).join(' ')

interface PageParts {
  readonly url?: string
  readonly head?: string
  readonly body?: string
  readonly answer?: Partial<Answer>
  readonly options?: Partial<ReadOptions>
}

/** A head without faults. */
export const soundHead = (url: string, title = 'A page about Acme') =>
  `<title>${title}</title><meta name=viewport content=width><link rel=canonical href="${url}">` +
  `<meta name=description content="A description of more than fifty characters of ${url}.">`

const soundAnswer = (address: string): Answer => ({
  status: 200,
  address,
  url: address,
  contentType: 'text/html; charset=utf-8',
  isHtml: true,
  looksLikeHtml: true,
  contentEncoding: 'gzip',
  xRobotsTag: [],
  link: [],
  lastModified: null,
  firstByteMs: [10],
  bytes: 1000,
})

/** A page that was read, without faults unless `head` or `body` has them. */
export function readPage(parts: PageParts = {}, facts: Partial<PageFacts> = {}): PageFacts {
  const url = parts.url ?? `${origin}/plain`
  const html = `<!doctype html><html lang=en><head>${parts.head ?? soundHead(url)}</head><body>${
    parts.body ?? `<main><h1>Acme</h1><p>${words(50)} ${url}</p></main>`
  }</body></html>`
  const answer = { ...soundAnswer(url), ...parts.answer }
  const { document } = readDocument(Buffer.from(html), 'utf-8', answer.address, {
    ...readOptions,
    ...parts.options,
  })
  return {
    pageId: url,
    url,
    reading: { address: url, url, hops: [], outcome: { kind: 'read', answer } },
    document,
    inSitemap: true,
    citingAnswers: {},
    hits: null,
    importedWords: null,
    ...facts,
  }
}

/** A page with another outcome than that of being read. */
export function unreadPage(outcome: PageOutcome, facts: Partial<PageFacts> = {}): PageFacts {
  const page = readPage({}, facts)
  return { ...page, document: null, reading: { ...page.reading, outcome } }
}

/** An answer with a status, whose body was not read. */
export const answered = (answer: Partial<Answer>): PageOutcome => ({
  kind: 'answered',
  answer: { ...soundAnswer(`${origin}/plain`), ...answer },
})

export const robotsOf = (text: string, parts: Partial<RobotsReading> = {}): RobotsReading => ({
  origin,
  address: `${origin}/robots.txt`,
  state: 'read',
  status: 200,
  detail: '',
  text,
  isTooLong: false,
  ...parts,
})

export const soundRobots = `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`

const soundSite: SiteFacts = {
  startedAt,
  isWholeSite: true,
  ownDomains: ['shop.test'],
  bots: builtinBots.bots,
  answers: {},
  origin,
  origins: [
    {
      origin,
      robots: robotsOf(soundRobots),
      llms: {
        address: `${origin}/llms.txt`,
        hops: [],
        outcome: { kind: 'answered', status: 200, text: '# Acme\n', isTooLong: false },
      },
      probe: { address: `${origin}/sightline-probe-0`, status: 404, document: null },
    },
  ],
  targets: new Map(),
  sitemap: {
    urls: 10,
    withoutLastmod: 0,
    address: `${origin}/sitemap.xml`,
    refreshFault: null,
    files: [{ address: `${origin}/sitemap.xml`, status: 200, isNamed: true }],
  },
  hits: null,
  lostTopics: [],
  citedUrls: [],
}

export const siteFacts = (parts: Partial<SiteFacts> = {}): SiteFacts => ({
  ...soundSite,
  ...parts,
})

/** A home page that links to all pages, so that none is an orphan. */
function linkingHome(pages: readonly PageFacts[]): PageFacts {
  const links = pages.map(({ url }) => `<a href="${url}">x</a>`).join(' ')
  const url = `${origin}/`
  const body = `<main><h1>Acme</h1><p itemscope itemtype="https://schema.org/WebSite">${words(60)}</p>${links}</main>`
  return readPage({ url, head: soundHead(url, 'The home page of Acme'), body })
}

/** The verdict of the first page, in an audit of all given pages and a sound home page. */
export function judgeFirst(pages: readonly PageFacts[], site: Partial<SiteFacts> = {}) {
  const [first] = judge(siteFacts(site), [...pages, linkingHome(pages)]).pages
  if (first === undefined) throw new Error('A page is needed.')
  return first
}

/** The ids of the faults of the first page. */
export const faultsOf = (pages: readonly PageFacts[], site: Partial<SiteFacts> = {}): CheckId[] =>
  judgeFirst(pages, site).findings.map(({ check }) => check)

/** The verdict of the site at its only origin. */
export function judgeSite(site: Partial<SiteFacts> = {}, pages: readonly PageFacts[] = []) {
  const [first] = judge(siteFacts(site), [...pages, linkingHome(pages)]).site
  if (first === undefined) throw new Error('An origin is needed.')
  return first
}
