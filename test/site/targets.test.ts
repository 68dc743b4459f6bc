import { expect, test } from 'vitest'
import { auditDeadline } from '../../site/budget.ts'
import { createTargetChoice, type LinkingPage } from '../../site/targets.ts'
import { userAgent } from '../../site/user-agent.ts'

const at = (path: string) => `https://shop.test${path}`
const isOwn = (address: string) => new URL(address).hostname.endsWith('shop.test')
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
/** Different paths without digits, in alphabetical order. */
const words = (count: number) =>
  numbers(count).map((i) =>
    String(1000 + i).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit))),
  )

function chosen(...parts: readonly Partial<LinkingPage>[]): string[] {
  const pages = parts.map((page, i) => ({
    url: at(`/page${i}`),
    links: [],
    canonicals: [],
    ...page,
  }))
  const choice = createTargetChoice(new Set(pages.map(({ url }) => url)), isOwn)
  for (const page of pages) choice.add(page)
  return choice.chosen()
}

test('own links that are no audited pages are asked once, as spelled, in their order', () => {
  const links = [at('/b/'), at('/a#x'), at('/a'), 'http://shop.test/page0/', 'https://other.test/']
  expect(chosen({ links }, { links: [at('/a')], canonicals: [at('/c')] })).toEqual([
    at('/a'),
    at('/b/'),
    at('/c'),
  ])
})

test('what the host of the site makes is not asked', () => {
  const links = [
    '/cdn-cgi/l/email-protection',
    '/_vercel/insights',
    '/.netlify/functions/x',
    '/cdn',
  ]
  expect(chosen({ links: links.map(at) })).toEqual([at('/cdn')])
})

test('a page has 200 link targets at most, an audit 200 and 4 a page', () => {
  const links = words(500).map((word) => at(`/${word}`))
  expect(chosen({ links })).toEqual(links.slice(0, 200))
  expect(chosen({ links }, { links: links.slice(200) })).toHaveLength(208)
})

test('a choice among many more links than it keeps is that among all of them', () => {
  const all = words(9_000).map((word) => at(`/${word}`))
  // 50 pages, each with every 50th link: the first and the last pages have links that are chosen.
  const parts = numbers(50).map((page) => all.filter((_, i) => i % 50 === page))
  const pages = parts.map((links, i) => ({ links, canonicals: i === 49 ? [all[8_000] ?? ''] : [] }))
  expect(chosen(...pages)).toEqual([...all.slice(0, 399), all[8_000]])
})

test('an endless calendar has 20 targets; paths without digit and query have no limit of shape', () => {
  const days = numbers(60).map((day) => at(`/calendar/2026-${day}`))
  const queries = numbers(60).map((day) => at(`/list?page=${day}&sort=x`))
  const plain = words(60).map((word) => at(`/${word}`))
  const found = chosen({ links: [...days, ...queries, ...plain] })
  const startsWith = (start: string) => found.filter((address) => address.startsWith(at(start)))
  expect(startsWith('/calendar/')).toHaveLength(20)
  expect(startsWith('/list?')).toHaveLength(20)
  expect(found).toHaveLength(100)
})

test('long, deep and circular addresses are not asked', () => {
  const links = [
    at(`/${'x'.repeat(2000)}`),
    at('/a/b/c/d/e/f/g/h/i/j/k/l/m'),
    at('/x/y/x/z/x'),
    at('/a/b/c/d/e/f/g/h/i/j/k/l'),
    at('/x/y/x'),
  ]
  expect(chosen({ links })).toEqual([at('/a/b/c/d/e/f/g/h/i/j/k/l'), at('/x/y/x')])
})

test('the budget is 15 seconds a page and 15 minutes, 6 hours at most', () => {
  const start = new Date('2026-11-22T00:00:00Z')
  expect(auditDeadline(start, 4).toISOString()).toBe('2026-11-22T00:16:00.000Z')
  expect(auditDeadline(start, 10_000).toISOString()).toBe('2026-11-22T06:00:00.000Z')
})

test('the crawler names itself and the page about it', () => {
  expect(userAgent('0.1.0', 'https://seen.example/')).toBe(
    'Mozilla/5.0 (compatible; SightlineBot/0.1.0; +https://seen.example/bot)',
  )
})
