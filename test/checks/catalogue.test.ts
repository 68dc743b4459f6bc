import { expect, test } from 'vitest'
import { checkOf, checks, describeFinding, findCheck } from '../../core/checks/checks.ts'

test('the catalogue has 95 checks, each once', () => {
  expect(checks).toHaveLength(95)
  expect(new Set(checks.map(({ id }) => id)).size).toBe(95)
  expect(findCheck('noindex')).toBe(checkOf('noindex'))
  expect(findCheck('retired')).toBeUndefined()
})

test('the categories have 41, 14 and 40 checks', () => {
  const count = (category: string) => checks.filter((check) => check.category === category).length
  expect([count('technical'), count('content'), count('aiReadiness')]).toEqual([41, 14, 40])
})

test('a title is the id in words', () => {
  expect(checkOf('h1-missing').title).toBe('H1 missing')
  expect(checkOf('llms-txt-missing').title).toBe('llms.txt missing')
  expect(checkOf('robots-blocks-page').title).toBe('robots.txt blocks page')
  expect(checkOf('ai-search-bots-blocked').title).toBe('AI search bots blocked')
})

test('a check replaces checks of the catalogue, and never itself', () => {
  for (const { id, insteadOf } of checks) {
    expect(insteadOf.filter((other) => other === id || findCheck(other) === undefined)).toEqual([])
  }
})

test('a description has the figures of the finding', () => {
  expect(describeFinding(checkOf('h1-multiple'), 3, [])).toBe('The page has 3 main headings.')
  expect(describeFinding(checkOf('client-error'), 1, [{ status: 403 }])).toBe(
    'The server answers with status 403.',
  )
  expect(describeFinding(checkOf('h1-missing'), 1, [])).toBe('The page has no `h1` with text.')
})

test('every description is whole sentences, with and without evidence', () => {
  for (const check of checks) {
    for (const n of [1, 2]) {
      const text = describeFinding(check, n, [])
      expect(text).toMatch(/^[A-Z0-9`].*[.]$|^robots[.]txt .*[.]$/)
      expect(text).not.toMatch(/undefined|NaN/)
    }
  }
})
