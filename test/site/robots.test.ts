import { expect, test } from 'vitest'
import type { RobotsReading } from '../../site/reading.ts'
import { parseRobots } from '../../site/robots/robots.ts'

const origin = 'https://acme.com'

function read(text: string, given: Partial<RobotsReading> = {}) {
  return parseRobots({
    origin,
    address: `${origin}/robots.txt`,
    state: 'read',
    status: 200,
    detail: '',
    text,
    isTooLong: false,
    ...given,
  })
}

const verdicts = (text: string, token: string, paths: readonly string[]) =>
  paths.map((path) => read(text).verdict(origin + path, token).isAllowed)

test('the longest rule decides, and Allow decides between equals', () => {
  const text = 'User-agent: *\nDisallow: /a\nAllow: /a/open\nDisallow: /same\nAllow: /same\n'
  expect(verdicts(text, '*', ['/', '/a', '/a/b', '/a/open/x', '/same'])).toEqual([
    true,
    false,
    false,
    true,
    true,
  ])
  expect(read(text).verdict(`${origin}/a/b`, 'GPTBot').line).toBe(2)
  expect(read(text).verdict(`${origin}/`, 'GPTBot').line).toBeNull()
})

test('`*` stands for any characters and `$` for the end', () => {
  const text = 'User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?sort=\n'
  const paths = ['/x.pdf', '/x.pdf?a', '/x?sort=1', '/x?a=1&sort=1', '/x']
  expect(verdicts(text, '*', paths)).toEqual([false, true, false, true, true])
})

test('a path and a rule match in any spelling of the same characters', () => {
  const text =
    'User-agent: *\nDisallow: /caf%c3%a9\nDisallow: /über\nDisallow: /%62ar\nDisallow: /[x]\n'
  const paths = ['/café', '/caf%C3%A9', '/%C3%BCber', '/über', '/bar', '/%5Bx%5D', '/[x]', '/cafe']
  expect(verdicts(text, '*', paths)).toEqual([...Array(7).fill(false), true])
})

test('groups of one token are one group, and names match in any case', () => {
  const text =
    '\uFEFFUSER-AGENT: sightlinebot/2.0\nDISALLOW: /one\n\nuser-agent: *\ndisallow: /\n\nUser-Agent: SIGHTLINEBOT\nDisallow: /two # why\n'
  const rules = read(text)
  expect(verdicts(text, 'SightlineBot', ['/one', '/two', '/three'])).toEqual([false, false, true])
  expect(verdicts(text, 'GPTBot', ['/three'])).toEqual([false])
  expect([rules.isNamed('SightlineBot'), rules.isNamed('GPTBot')]).toEqual([true, false])
  expect(rules.faults).toEqual([])
})

test('lines of no group end none, and a group without rules allows all', () => {
  const text = 'User-agent: a\nSitemap: /s.xml\nUser-agent: b\nDisallow: /x\nUser-agent: c\n'
  expect(['a', 'b', 'c', 'd'].map((token) => verdicts(text, token, ['/x'])[0])).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(read(text).isNamed('c')).toBe(true)
})

test('an absent file allows all, an unreachable one nothing', () => {
  const open = read('User-agent: *\nDisallow: /', { state: 'absent', status: 404 })
  expect(open.verdict(`${origin}/x`, '*').isAllowed).toBe(true)
  for (const state of ['unreachable', 'certificate', 'refused'] as const) {
    expect(read('', { state }).verdict(`${origin}/x`, '*').isAllowed).toBe(false)
  }
  expect(() => open.verdict('http://acme.com/x', '*')).toThrow('is not of https://acme.com')
})

test('robots.txt itself is always allowed', () => {
  expect(verdicts('User-agent: *\nDisallow: /', '*', ['/robots.txt', '/'])).toEqual([true, false])
})

test('sitemaps, crawl delays and content signals come with their lines', () => {
  const rules = read(
    'User-agent: *\nContent-Signal: search=yes, AI-Input=NO\nCrawl-delay: 2.5\nUser-agent: GPTBot\nCrawl-delay: soon\nSitemap: https://cdn.net/a.xml\nSitemap: /b.xml\nSitemap: http://[\n',
  )
  expect(rules.contentSignals).toEqual([{ line: 2, signals: { search: 'yes', 'ai-input': 'no' } }])
  expect(['SightlineBot', 'GPTBot'].map((token) => rules.crawlDelay(token))).toEqual([2.5, null])
  expect(rules.sitemaps).toEqual([
    { line: 6, address: 'https://cdn.net/a.xml' },
    { line: 7, address: `${origin}/b.xml` },
  ])
})

test('faults name their lines', () => {
  const rules = read(
    'Disallow: /\n# fine\nnonsense\nUser agent: x\nUser-agent: *\nHost: acme.com\n',
  )
  expect(rules.faults.map(({ line, fault }) => [line, fault])).toEqual([
    [1, 'rule before any User-agent'],
    [3, 'neither a comment nor `field: value`'],
    [4, 'neither a comment nor `field: value`'],
  ])
  expect([read('\n <!doctype html>').isMarkup, rules.isMarkup]).toEqual([true, false])
})
