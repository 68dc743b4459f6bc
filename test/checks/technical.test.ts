import { describe, expect, test } from 'vitest'
import type { SiteFacts } from '../../site/checks/facts.ts'
import { judge } from '../../site/checks/verdicts.ts'
import type { FailedOutcome } from '../../site/reading.ts'
import {
  answered,
  faultsOf,
  judgeFirst,
  origin,
  readPage,
  siteFacts,
  soundHead,
  unreadPage,
  words,
} from './facts.ts'

const url = `${origin}/plain`
const main = `<main><h1>Acme</h1>${words(60)}</main>`
const withHead = (html: string, sound = soundHead(url)) => readPage({ head: sound + html })
const withBody = (html: string) => readPage({ body: main + html })

describe('responses', () => {
  test.each([
    [50_000, null, []],
    [50_001, null, ['uncompressed-html']],
    [50_001, 'identity', ['uncompressed-html']],
    [50_001, 'br', []],
  ])('%i bytes encoded as %s have the faults %j', (bytes, contentEncoding, faults) => {
    expect(faultsOf([readPage({ answer: { bytes, contentEncoding } })])).toEqual(faults)
  })

  test.each([
    [[1501, 1502], ['slow-response']],
    [[1501, 1500], []],
    [[1501], []],
  ])('first bytes after %j ms have the faults %j', (firstByteMs, faults) => {
    expect(faultsOf([readPage({ answer: { firstByteMs } })])).toEqual(faults)
  })

  test('the shorter of two slow times is the count', () => {
    const page = readPage({ answer: { firstByteMs: [1700.4, 1600.6] } })
    expect(judgeFirst([page]).findings).toMatchObject([{ affectedCount: 1601 }])
  })
})

describe('the head', () => {
  test.each([
    ['<meta charset=utf8>', []],
    ['<meta charset=latin1>', ['charset-conflict']],
    ['<meta charset=unknown>', []],
    ['<meta http-equiv=refresh content="30;url=/b">', ['meta-refresh-redirect']],
    ['<meta http-equiv=refresh content="31;url=/b">', []],
    ['<link rel=canonical href=/b>', ['canonical-multiple']],
    ['<link rel=canonical href=/plain/>', []],
    ['<link rel=alternate hreflang=en-UK href=/plain>', ['hreflang-invalid']],
    ['<link rel=alternate hreflang=en-GB href=/plain>', []],
    ['<script src="http://cdn.test/a.js"></script>', ['mixed-content']],
    ['<link rel=stylesheet href="http://cdn.test/a.css">', ['mixed-content']],
    ['<link rel=icon href="http://cdn.test/a.png">', []],
    ['<script src="https://cdn.test/a.js"></script>', []],
  ])('%s has the faults %j', (html, faults) => {
    expect(faultsOf([withHead(html)])).toEqual(faults)
  })

  test('lacks viewport, canonical and language where they are missing', () => {
    const bare = `<title>A page about Acme</title><meta name=description content="${words(12)}">`
    expect(faultsOf([readPage({ head: bare })])).toEqual(['canonical-missing', 'viewport-missing'])
  })

  test.each([
    ['en', []],
    ['de-CH-1996', []],
    ['english', ['language-missing']],
    ['', ['language-missing']],
  ])('the language "%s" has the faults %j', (language, faults) => {
    const page = readPage()
    const document = page.document && { ...page.document, language }
    expect(faultsOf([{ ...page, document }])).toEqual(faults)
  })
})

describe('noindex', () => {
  const page = (inSitemap: boolean, content = 'noindex') => ({
    ...withHead(`<meta name=robots content="${content}">`),
    inSitemap,
  })

  test('is worse where the sitemap has the page, and hides checks of indexable pages', () => {
    expect(faultsOf([page(true)])).toEqual(['noindex-in-sitemap'])
    expect(faultsOf([page(false, 'none')])).toEqual(['noindex'])
    expect(faultsOf([page(true, 'noarchive')])).toEqual([])
    expect(judgeFirst([page(true)]).evaluated).not.toContain('title-missing')
  })
})

describe('canonicals', () => {
  const head = (canonical: string) => soundHead(url).replace(`href="${url}"`, `href="${canonical}"`)
  const targets = (address: string, status: number, end = address) =>
    ({
      targets: new Map([
        [
          address,
          {
            address,
            url: address,
            hops: [],
            outcome: { kind: 'answered', status, address: end, url: end },
          },
        ],
      ]),
    }) as Partial<SiteFacts>
  const other = `${origin}/other`
  const page = readPage({ head: head(other) })

  test.each([
    [200, other, ['canonical-elsewhere']],
    [404, other, ['canonical-broken']],
    [403, other, ['canonical-broken']],
    [200, `${origin}/third`, ['canonical-broken']],
  ])('of another page that answers %i at %s are the faults %j', (status, end, faults) => {
    expect(faultsOf([page], targets(other, status, end))).toEqual(faults)
  })

  test('of another page have no scores, and those of the page in another spelling are well', () => {
    expect(judgeFirst([page], targets(other, 200)).standing).toBe('elsewhere')
    expect(faultsOf([readPage({ head: head('http://shop.test/plain/') })])).toEqual([])
  })

  test('of another site are a fault of an indexable page', () => {
    const verdict = judgeFirst([readPage({ head: head('https://other.test/plain') })])
    expect(verdict.findings.map(({ check }) => check)).toEqual(['canonical-off-site'])
    expect(verdict.evaluated).toContain('title-missing')
  })

  test('of an audited page are judged by its own reading', () => {
    const second = readPage({ url: other, head: soundHead(other, 'Another page of Acme') })
    expect(faultsOf([page, second])).toEqual(['canonical-elsewhere'])
  })
})

describe('links', () => {
  const links = [1, 2, 3].map((n) => `${origin}/${n}`)
  const page = withBody(links.map((link) => `<a href="${link}">x</a>`).join(' '))
  const answer = (status: number, end?: string) => (address: string) => ({
    kind: 'answered' as const,
    status,
    address: end ?? address,
    url: end ?? address,
  })
  const failing = (outcome: FailedOutcome) => () => outcome
  type Outcome = FailedOutcome | ReturnType<ReturnType<typeof answer>>
  const site = (...outcomes: ((address: string) => Outcome)[]): Partial<SiteFacts> => ({
    targets: new Map(
      outcomes.map((outcome, i) => {
        const address = links[i] ?? ''
        return [address, { address, url: address, hops: [], outcome: outcome(address) }]
      }),
    ),
  })

  test('to targets that were not requested, or that forbid reading, are whole', () => {
    expect(faultsOf([page])).toEqual([])
    expect(faultsOf([page], site(answer(200), answer(403), answer(429)))).toEqual([])
  })

  test('to missing, broken, looping and silent targets are counted', () => {
    const loop = failing({ kind: 'redirect_loop', address: url })
    const silent = failing({ kind: 'unreachable', cause: 'dns', detail: '' })
    const { findings } = judgeFirst([page], site(answer(410), loop, silent))
    expect(findings).toMatchObject([{ check: 'broken-internal-links', affectedCount: 3 }])
    expect(faultsOf([page], site(answer(500)))).toEqual(['broken-internal-links'])
  })

  test('to what the host of the site makes are none of the site, however they answer', () => {
    const address = `${origin}/cdn-cgi/l/email-protection`
    const protectedMail = withBody(`<a href="${address}">write</a>`)
    const outcome = { kind: 'answered', status: 404, address, url: address } as const
    const targets = new Map([[address, { address, url: address, hops: [], outcome }]])
    expect(faultsOf([protectedMail], { targets })).toEqual([])
  })

  test('to redirects are counted, unless the redirect keeps the URL', () => {
    const away = failing({ kind: 'redirect_off_site', address: 'https://x.test/' })
    const { findings } = judgeFirst([page], site(answer(200, `${origin}/9`), away, answer(200)))
    expect(findings).toMatchObject([{ check: 'links-to-redirects', affectedCount: 2 }])
  })
})

describe('a page to which no other page links', () => {
  const pages = [readPage()]
  const orphans = (isWholeSite: boolean) => judge(siteFacts({ isWholeSite }), pages).pages[0]

  test('is an orphan in an audit of the whole site', () => {
    expect(orphans(true)?.findings.map(({ check }) => check)).toEqual(['orphan-page'])
    expect(faultsOf(pages)).toEqual([])
  })

  test('is not judged in an audit of some pages', () => {
    expect(orphans(false)?.findings).toEqual([])
    expect(orphans(false)?.evaluated).not.toContain('orphan-page')
  })

  test('is no orphan where a link leads to it by a redirect, unless the link is its own', () => {
    const old = `${origin}/old`
    const outcome = { kind: 'answered', status: 200, address: url, url } as const
    const targets = new Map([[old, { address: old, url: old, hops: [], outcome }]])
    const linking = readPage({ url: `${origin}/`, body: `${main}<a href="${old}">old</a>` })
    const faults = (...all: ReturnType<typeof readPage>[]) =>
      judge(siteFacts({ targets }), all).pages.map(({ findings }) =>
        findings.map(({ check }) => check).filter((check) => check === 'orphan-page'),
      )
    expect(faults(readPage(), linking)).toEqual([[], []])
    expect(faults(withBody(`<a href="${old}">old</a>`))).toEqual([['orphan-page']])

    // The same where the old address is an audited page.
    const unread = unreadPage(answered({ url }), { url: old })
    const moved = { ...unread, reading: { ...unread.reading, address: old, url: old } }
    const from = (body: string) => judge(siteFacts(), [withBody(body), moved]).pages[0]?.findings
    expect(from(`<a href="${old}">old</a>`)).toMatchObject([
      { check: 'links-to-redirects' },
      { check: 'orphan-page' },
    ])
    const [page, home] = judge(siteFacts(), [readPage(), linking, moved]).pages
    expect(page?.findings.map(({ check }) => check)).not.toContain('orphan-page')
    expect(home?.findings.map(({ check }) => check)).toContain('links-to-redirects')
  })

  test('is no orphan as the home page, and its link to itself does not count', () => {
    const home = readPage({
      url: `${origin}/`,
      body: `${main}<article itemscope itemtype="https://schema.org/Thing">`,
    })
    expect(judge(siteFacts(), [home]).pages[0]?.findings).toEqual([])
    const self = withBody(`<a href="${url}">self</a>`)
    expect(judge(siteFacts(), [self]).pages[0]?.findings).toMatchObject([{ check: 'orphan-page' }])
  })
})

test('a page that the sitemap lacks is a fault where the project has a sitemap', () => {
  const page = { ...readPage(), inSitemap: false }
  expect(faultsOf([page])).toEqual(['page-not-in-sitemap'])
  const sitemap = { urls: 0, withoutLastmod: 0, address: null, refreshFault: null, files: [] }
  expect(faultsOf([page], { sitemap })).toEqual([])
})
