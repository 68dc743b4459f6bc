import { describe, expect, test } from 'vitest'
import { checks } from '../../core/checks/checks.ts'
import type { PageOutcome } from '../../site/reading.ts'
import {
  answered,
  faultsOf,
  judgeFirst,
  judgeSite,
  origin,
  readPage,
  soundHead,
  unreadPage,
  words,
} from './facts.ts'

const url = `${origin}/plain`

test('a sound page and site have no fault, and all checks of pages but those on hits are made', () => {
  const { findings, evaluated, superseded, standing } = judgeFirst([readPage()])
  expect([findings, superseded, standing]).toEqual([[], [], 'judged'])
  const left = checks.filter(({ of, id }) => of !== 'site' && !evaluated.includes(id))
  expect(left.map(({ id }) => id)).toEqual([
    'cited-page-404-to-crawlers',
    'crawlers-refused',
    'crawlers-redirected',
    'slow-for-crawlers',
    'top-crawled-page-without-date',
    'not-crawled-by-ai',
  ])
  expect(judgeSite().findings).toEqual([])
})

const unread: [string, PageOutcome, string[]][] = [
  ['unreachable', { kind: 'unreachable', cause: 'dns', detail: 'ENOTFOUND' }, ['unreachable']],
  ['bad certificate', { kind: 'certificate', detail: 'expired' }, ['certificate-invalid']],
  ['500', answered({ status: 500 }), ['server-error']],
  ['599', answered({ status: 599 }), ['server-error']],
  ['401', answered({ status: 401 }), ['client-error']],
  ['404', answered({ status: 404 }), ['page-not-found']],
  ['410', answered({ status: 410 }), ['page-not-found']],
  ['loop', { kind: 'redirect_loop', address: url }, ['redirect-loop']],
  ['off site', { kind: 'redirect_off_site', address: 'https://x.test/' }, ['redirect-off-site']],
  ['HTML as text', answered({ contentType: 'text/plain', isHtml: false }), ['wrong-content-type']],
  ['text', answered({ contentType: 'text/plain', isHtml: false, looksLikeHtml: false }), []],
  ['no content', answered({ status: 204 }), []],
  [
    'robots.txt',
    { kind: 'robots_blocked', address: url, robots: `${origin}/robots.txt`, line: 2 },
    ['robots-blocks-page'],
  ],
  ['skipped', { kind: 'skipped', reason: 'private_address', detail: '' }, []],
  ['closed', { kind: 'robots_unreachable', robots: `${origin}/robots.txt` }, []],
]

test.each(unread)('the reading "%s" is the fault of its page alone', (_, outcome, faults) => {
  expect(faultsOf([unreadPage(outcome)])).toEqual(faults)
})

test('a page that cannot be read supersedes all other issues of the page', () => {
  const { superseded, evaluated } = judgeFirst([unreadPage(answered({ status: 404 }))])
  expect(evaluated).toEqual(['page-not-found'])
  expect(superseded).toHaveLength(checks.filter(({ of }) => of !== 'site').length - 1)
  expect(superseded).toContain('cited-page-missing')
})

test('a skipped page decides nothing, and has no part in the scores', () => {
  const page = unreadPage({ kind: 'skipped', reason: 'budget', detail: '' })
  expect(judgeFirst([page])).toMatchObject({
    standing: 'unjudged',
    findings: [],
    evaluated: [],
    superseded: [],
  })
})

test('a missing page that answers cite is cited-page-missing and nothing else', () => {
  const page = unreadPage(answered({ status: 404 }), { citingAnswers: { chatgpt: 2, claude: 1 } })
  const { findings } = judgeFirst([page])
  expect(findings).toEqual([
    { check: 'cited-page-missing', affectedCount: 3, evidence: [{ status: 404 }] },
  ])
  const blocked = unreadPage(
    { kind: 'robots_blocked', address: url, robots: `${origin}/robots.txt`, line: 2 },
    { citingAnswers: { chatgpt: 2 } },
  )
  expect(faultsOf([blocked])).toEqual(['robots-blocks-page'])
})

describe('redirects', () => {
  const hop = (from: string, to: string) => ({ address: from, status: 301, to })
  const redirected = (hops: string[], end: string, citing = 0) => {
    const page = readPage({ answer: { address: end, url: end } })
    const reading = { ...page.reading, hops: hops.map((to) => hop(url, to)) }
    return { ...page, reading, citingAnswers: { chatgpt: citing } }
  }

  test('to another page are a fault of the address, which has no scores', () => {
    const verdict = judgeFirst([redirected([`${origin}/b`], `${origin}/b`)])
    expect(verdict.findings.map(({ check }) => check)).toEqual(['redirected-page'])
    expect(verdict.standing).toBe('elsewhere')
    expect(verdict.evaluated).not.toContain('title-missing')
  })

  test('in a chain are counted by hops', () => {
    const verdict = judgeFirst([redirected([`${origin}/b`, `${origin}/c`], `${origin}/c`)])
    expect(verdict.findings).toMatchObject([{ check: 'redirect-chain', affectedCount: 2 }])
  })

  test('of a cited page replace both', () => {
    const verdict = judgeFirst([redirected([`${origin}/b`], `${origin}/b`, 4)])
    expect(verdict.findings).toMatchObject([{ check: 'cited-page-redirects', affectedCount: 4 }])
    expect(verdict.superseded).toEqual(['redirect-chain', 'redirected-page'])
  })

  test('of scheme or slash to the same page are none, but two in a row are a chain', () => {
    expect(faultsOf([redirected([`${url}/`], url)])).toEqual([])
    const verdict = judgeFirst([redirected([`http://shop.test/plain`, `${url}/`], url)])
    expect(verdict.findings.map(({ check }) => check)).toEqual(['redirect-chain'])
    expect(verdict.standing).toBe('judged')
  })
})

describe('a page that answers 200 for a missing page', () => {
  const page = (title: string, h1: string, count: number) =>
    readPage({ head: soundHead(url, title), body: `<main><h1>${h1}</h1>${words(count)}</main>` })

  test.each([
    ['Error 404 of Acme', 'Acme'],
    ['A page about Acme', 'Page Not Found'],
    ['A page about Acme', 'Seite nicht gefunden'],
  ])('says so in "%s", "%s"', (title, h1) => {
    expect(faultsOf([page(title, h1, 60)])).toEqual(['soft-404'])
  })

  test('has under 150 words', () => {
    expect(faultsOf([page('Error 404 of Acme', 'Acme', 148)])).toEqual(['soft-404'])
    expect(faultsOf([page('Error 404 of Acme', 'Acme', 149)])).toEqual([])
    expect(faultsOf([page('The Acme 4040 shoe', 'Acme', 60)])).toEqual([])
  })
})
