import { describe, expect, test } from 'vitest'
import type { OriginFacts, SiteFacts, SiteHits } from '../../site/checks/facts.ts'
import { judge } from '../../site/checks/verdicts.ts'
import type { FileReading } from '../../site/reading.ts'
import {
  judgeSite,
  origin,
  readPage,
  robotsOf,
  siteFacts,
  soundRobots,
  startedAt,
  unreadPage,
} from './facts.ts'

const sound = siteFacts()
const [soundOrigin] = sound.origins

/** The sound site with another part of its origin. */
const withOrigin = (parts: Partial<OriginFacts>): Partial<SiteFacts> => ({
  origins: soundOrigin === undefined ? [] : [{ ...soundOrigin, ...parts }],
})
const withRobots = (text: string, parts = {}) => withOrigin({ robots: robotsOf(text, parts) })

/** The faults of a site, each with its count. */
const faults = (site: Partial<SiteFacts>, pages = [readPage()]) =>
  judgeSite(site, pages).findings.map(({ check, affectedCount }) => [check, affectedCount])

describe('robots.txt', () => {
  test('that cannot be read is the one fault, and hides all others', () => {
    const closed = unreadPage({ kind: 'robots_unreachable', robots: `${origin}/robots.txt` })
    const site = withRobots('', { state: 'unreachable', status: 503 })
    const verdict = judgeSite(site, [closed])
    expect(verdict).toEqual({
      origin,
      findings: [
        {
          check: 'robots-unreachable',
          affectedCount: 2,
          evidence: [{ address: `${origin}/robots.txt`, status: 503 }],
          url: `${origin}/robots.txt`,
        },
      ],
      evaluated: ['robots-unreachable'],
      superseded: [],
    })
    expect(judge(siteFacts(site), [closed]).pages[0]?.standing).toBe('closed')
  })

  test('that is absent is no fault, but names no sitemap', () => {
    expect(faults(withRobots('', { state: 'absent', status: 404 }))).toEqual([
      ['sitemap-not-in-robots', 1],
    ])
  })

  test('that breaks the standard is counted by lines, and judged for no sitemap line', () => {
    expect(faults(withRobots('Disallow: /x\nnonsense\nUser-agent: *\n'))).toEqual([
      ['robots-invalid', 2],
    ])
    expect(faults(withRobots('<!doctype html><p>Hello'))).toEqual([['robots-invalid', 1]])
    expect(faults(withRobots(soundRobots, { isTooLong: true }))).toEqual([['robots-invalid', 1]])
  })

  test('that keeps answer or training crawlers out lists them', () => {
    const text = (name: string) => `${soundRobots}User-agent: ${name}\nDisallow: /\n`
    expect(faults(withRobots(text('OAI-SearchBot')))).toEqual([['ai-search-bots-blocked', 1]])
    expect(faults(withRobots(text('GPTBot\nUser-agent: CCBot')))).toEqual([
      ['ai-training-bots-blocked', 2],
    ])
    expect(
      faults(withRobots('User-agent: *\nDisallow: /\nSitemap: https://shop.test/s.xml')),
    ).toEqual([])
  })

  test('keeps out a crawler of the registry once its platform has answers', () => {
    const site = withRobots(`${soundRobots}User-agent: YouBot\nDisallow: /\n`)
    expect(faults(site)).toEqual([])
    expect(faults({ ...site, answers: { you: 1 } })).toEqual([['ai-search-bots-blocked', 1]])
  })

  test('that signals no to search or AI input is a fault, other signals are none', () => {
    const signal = (text: string) => withRobots(`${soundRobots}Content-Signal: ${text}\n`)
    expect(faults(signal('search=yes, ai-input=no'))).toEqual([['content-signal-blocks-ai', 1]])
    expect(faults(signal('ai-train=no, search=yes'))).toEqual([])
  })

  test('that asks to wait over 10 seconds is counted by crawlers', () => {
    const delay = (seconds: number) =>
      withRobots(`${soundRobots}User-agent: ClaudeBot\nUser-agent: x\nCrawl-delay: ${seconds}\n`)
    expect(faults(delay(10))).toEqual([])
    expect(faults(delay(11))).toEqual([['crawl-delay-high', 1]])
    expect(faults(withRobots(`User-agent: *\nCrawl-delay: 60\nSitemap: ${origin}/s.xml`))).toEqual([
      ['crawl-delay-high', 1],
    ])
  })

  test('that keeps SightlineBot alone out is counted by skipped pages', () => {
    const page = unreadPage({ kind: 'skipped', reason: 'robots', detail: '' })
    expect(faults({}, [page])).toEqual([['audit-blocked', 1]])
    expect(faults({}, [unreadPage({ kind: 'skipped', reason: 'budget', detail: '' })])).toEqual([])
  })
})

describe('/llms.txt', () => {
  const file = (status: number, text = ''): Partial<SiteFacts> => {
    const outcome = { kind: 'answered', status, text, isTooLong: false } as const
    const llms: FileReading = { address: `${origin}/llms.txt`, hops: [], outcome }
    return withOrigin({ llms })
  }
  const dead = (address: string, status: number) => ({
    targets: new Map([
      [
        address,
        {
          address,
          url: address,
          hops: [],
          outcome: { kind: 'answered', status, address, url: address },
        },
      ],
    ]) as SiteFacts['targets'],
  })

  test.each([
    [404, '', [['llms-txt-missing', 1]]],
    [410, '', [['llms-txt-missing', 1]]],
    [403, '', [['llms-txt-invalid', 1]]],
    [200, '<html>', [['llms-txt-invalid', 1]]],
    [200, 'Acme\n# Acme', [['llms-txt-invalid', 1]]],
    [200, '# Acme', []],
  ])('of status %i and text "%s" has the faults %j', (status, text, expected) => {
    expect(faults(file(status, text))).toEqual(expected)
  })

  test('is judged by the own links that are dead', () => {
    const text = '# Acme\n- [a](/dead): x\n- [b](https://other.test/dead)\n- [c](/plain)'
    expect(faults({ ...file(200, text), ...dead(`${origin}/dead`, 404) })).toEqual([
      ['llms-txt-invalid', 1],
    ])
    expect(faults({ ...file(200, text), ...dead(`${origin}/dead`, 500) })).toEqual([])
  })

  test('that was not requested is not decided', () => {
    const { evaluated } = judgeSite(withOrigin({ llms: null, probe: null }))
    expect(evaluated).not.toContain('llms-txt-missing')
    expect(evaluated).not.toContain('missing-pages-answer-200')
  })
})

describe('sitemap and origin', () => {
  const sitemap = (parts: Partial<SiteFacts['sitemap']>) => ({
    sitemap: { ...sound.sitemap, ...parts },
  })
  const named = { address: `${origin}/s.xml`, isNamed: true }

  test('a site over http lacks https', () => {
    const plain = 'http://shop.test'
    const robots = robotsOf(soundRobots, { origin: plain, address: `${plain}/robots.txt` })
    const site = withOrigin({ origin: plain, robots })
    expect(faults({ ...site, origin: plain })).toEqual([['https-missing', 1]])
    expect(faults(site)).toEqual([])
  })

  test('a sitemap is missing where robots.txt, usual places and project know none', () => {
    const bare = withRobots('User-agent: *\nAllow: /')
    const usual = { address: `${origin}/sitemap.xml`, isNamed: false }
    const none = { urls: 0, address: null, files: [{ ...usual, status: 404 }] }
    expect(faults({ ...bare, ...sitemap(none) })).toEqual([['sitemap-missing', 1]])
    const found = { ...none, files: [{ ...usual, status: 200 }] }
    expect(faults({ ...bare, ...sitemap(found) })).toEqual([])
  })

  test('a sitemap is invalid by its last refresh, or by the status of a named file', () => {
    const failed = judgeSite(sitemap({ refreshFault: 'truncated' })).findings
    expect(failed).toMatchObject([{ check: 'sitemap-invalid', url: `${origin}/sitemap.xml` }])
    const wrong = judgeSite(sitemap({ files: [{ ...named, status: 404 }] })).findings
    expect(wrong).toMatchObject([{ check: 'sitemap-invalid', url: `${origin}/s.xml` }])
    expect(faults(sitemap({ files: [{ ...named, isNamed: false, status: 404 }] }))).toEqual([])
  })

  test('over half of the URLs without lastmod are a fault, half of them are none', () => {
    expect(faults(sitemap({ withoutLastmod: 6 }))).toEqual([['sitemap-lastmod-missing', 6]])
    expect(faults(sitemap({ withoutLastmod: 5 }))).toEqual([])
  })

  test('a probe that answers 200 is a fault', () => {
    const probe = { address: `${origin}/sightline-probe-0`, status: 200, document: null }
    expect(faults(withOrigin({ probe }))).toEqual([['missing-pages-answer-200', 1]])
  })
})

describe('facts of answers and crawlers', () => {
  const hits: SiteHits = {
    total: 400,
    errors: 0,
    oldestAt: startedAt,
    crawlers: [],
    topPages: [],
    missingPaths: [],
  }

  test('cited URLs that answer 404 or 410 are counted', () => {
    const citedUrls = [404, 410, 200, null].map((status, i) => ({
      address: `${origin}/old-${i}`,
      answers: 1,
      status,
    }))
    expect(faults({ citedUrls })).toEqual([['cited-urls-missing', 2]])
  })

  test('missing paths are counted', () => {
    const missingPaths = [{ address: `${origin}/gone`, hits: 3 }]
    expect(faults({ hits: { ...hits, missingPaths } })).toEqual([['crawlers-hit-missing-pages', 1]])
  })

  test.each([
    [19, 100, []],
    [20, 400, [['crawlers-get-errors', 20]]],
    [20, 401, []],
  ])('%i errors of %i hits are the faults %j', (errors, total, expected) => {
    expect(faults({ hits: { ...hits, errors, total } })).toEqual(expected)
  })

  test.each([
    [29, 100, [], []],
    [30, 99, [], []],
    [30, 100, [], [['platform-crawler-absent', 1]]],
    [30, 100, ['Perplexity-User'], []],
  ])(
    '%i answers, %i hits and the crawlers %j are the faults %j',
    (count, total, crawlers, expected) => {
      const site = { answers: { perplexity: count }, hits: { ...hits, total, crawlers } }
      expect(faults(site)).toEqual(expected)
    },
  )

  test('without a traffic source, checks of hits are not decided', () => {
    expect(judgeSite().evaluated).not.toContain('crawlers-get-errors')
    expect(judgeSite({ hits }).evaluated).toContain('crawlers-get-errors')
  })
})

test('a second origin has checks of its own, and none of the project', () => {
  const other = 'https://blog.shop.test'
  const robots = robotsOf('User-agent: *\nCrawl-delay: 20', {
    origin: other,
    address: `${other}/robots.txt`,
  })
  const second = { origin: other, robots, llms: null, probe: null }
  const verdict = judge(siteFacts({ origins: [...sound.origins, second] }), [readPage()]).site
  expect(verdict.map(({ findings }) => findings.map(({ check }) => check))).toEqual([
    [],
    ['crawl-delay-high'],
  ])
  expect(verdict[1]?.evaluated).not.toContain('sitemap-missing')
})
