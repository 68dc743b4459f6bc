import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CheckId, checkOf, checks } from '../../core/checks/checks.ts'
import {
  auditScores,
  pageScores,
  type ScoredPage,
  scoreBreakdown,
} from '../../core/checks/scores.ts'

const judged = (...ids: CheckId[]): ScoredPage => ({ standing: 'judged', checks: ids })

const a = judged('h1-missing', 'structured-data-missing', 'slow-response')
const cited404 = judged('cited-page-missing')
const clean = judged()
const site: CheckId[] = ['ai-search-bots-blocked', 'llms-txt-missing']

test('the worked example: three pages and two checks of the site give 37.5', () => {
  expect(pageScores(a)).toEqual({ overall: 92, technical: 92, content: 92, aiReadiness: 92 })
  expect(pageScores(cited404)).toEqual({ overall: 0, technical: 0, content: 0, aiReadiness: 0 })
  expect(auditScores([a, cited404, clean], site)).toEqual({
    overall: 37.5,
    technical: 64,
    content: 64,
    aiReadiness: 11,
  })
})

test('the worked example: the cited page mended, with a title missing, gives 69.5', () => {
  expect(auditScores([a, judged('title-missing'), clean], site)).toEqual({
    overall: 69.5,
    technical: 97.33,
    content: 90.67,
    aiReadiness: 44.33,
  })
})

test('a check of the site counts once, however many origins have it', () => {
  expect(auditScores([clean], ['https-missing', 'https-missing'])?.technical).toBe(80)
})

test('a directive noindex costs its own points, content and AI readiness', () => {
  expect(pageScores(judged('noindex'))).toEqual({
    overall: 29.1,
    technical: 97,
    content: 0,
    aiReadiness: 0,
  })
})

test('pages that stand for others, or were not judged, have no scores', () => {
  const redirected: ScoredPage = { standing: 'elsewhere', checks: ['redirected-page'] }
  expect(pageScores(redirected)).toBeNull()
  expect(auditScores([redirected, { standing: 'unjudged', checks: [] }], site)).toBeNull()
  expect(auditScores([redirected, clean], [])?.overall).toBe(100)
})

test('a closed origin has pages of 0, and costs nothing beyond them', () => {
  const closed: ScoredPage = { standing: 'closed', checks: [] }
  expect(auditScores([closed], ['robots-unreachable'])?.overall).toBe(0)
  expect(auditScores([closed, clean], ['robots-unreachable'])?.overall).toBe(50)
  expect(scoreBreakdown([closed, clean], ['robots-unreachable'])).toEqual([
    { type: 'robots-unreachable', points: 50, pages: 1 },
  ])
})

test('the breakdown adds up to the missing points', () => {
  const losses = scoreBreakdown([a, cited404, clean], site)
  expect(losses[0]).toEqual({ type: 'cited-page-missing', points: 100 / 3, pages: 1 })
  expect(losses).toContainEqual({ type: 'ai-search-bots-blocked', points: 25, pages: 0 })
  const missing = losses.reduce((sum, { points }) => sum + points, 0)
  expect(missing).toBeCloseTo(100 - 37.5, 9)
})

test('more issues never give a higher score', () => {
  const ids = (isSite: boolean) =>
    checks.filter(({ of }) => (of === 'site') === isSite).map(({ id }) => id)
  const some = (list: CheckId[]) => fc.uniqueArray(fc.constantFrom(...list), { maxLength: 8 })
  const pages = fc.array(some(ids(false)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      pages,
      some(ids(true)),
      some(ids(false)),
      some(ids(true)),
      (own, ofSite, more, moreOfSite) => {
        const before = own.map((list) => judged(...list))
        const after = own.map((list, i) => judged(...new Set(i === 0 ? [...list, ...more] : list)))
        const low = auditScores(after, [...ofSite, ...moreOfSite])
        const high = auditScores(before, ofSite)
        if (low === null || high === null) return false
        return (['overall', 'technical', 'content', 'aiReadiness'] as const).every(
          (name) => low[name] <= high[name],
        )
      },
    ),
  )
})

test('every check of a page costs points in its category, unless the page stands for another', () => {
  for (const { id, category, of } of checks) {
    if (of === 'site' || (checkOf(id).mark === 'elsewhere' && id !== 'redirect-chain')) continue
    expect(pageScores(judged(id))?.[category]).toBeLessThan(100)
  }
})
