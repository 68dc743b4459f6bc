import { expect, test } from 'vitest'
import { describeWorth } from '../../cli/commands/site/worth.ts'
import { checkOf } from '../../core/checks/checks.ts'
import { worthOf } from '../../core/checks/worth.ts'
import type { CheckOfSite } from '../../resolvers/audits/checks.ts'

const window = { from: '2025-05-01', to: '2025-05-30' }

/** Seven pages pass, of which 6 are crawled. Five fail, of which none is crawled. No page is cited. */
function worthIn(id: 'title-missing' | 'llms-txt-missing') {
  const check = checkOf(id)
  const judged = {
    passing: { pages: 7, crawled: 6, cited: 0 },
    failing: { pages: 5, crawled: 0, cited: 0 },
  }
  const worth = worthOf(check, judged, { hasTrafficSource: true, crawled: 6, cited: 0 })
  return { check: { ...check, passingPages: 7, failingPages: 5 } as CheckOfSite, worth }
}

test('the worth of a check is one line, with the difference and its interval', () => {
  const all = [worthIn('title-missing'), worthIn('llms-txt-missing')]
  const byId = new Map(all.map(({ check, worth }) => [check.id, worth]))
  const checks = all.map(({ check }) => check)
  const { text, json } = describeWorth(checks, { byId, dateRange: window })
  expect(text.join('\n')).toBe(
    '\nPages that pass a check, then pages that fail it, 2025-05-01 to 2025-05-30:\n' +
      'title-missing  crawled 85.71 % of 7, 0 % of 5: +85.71 points (+28.63 to +97.43)  ' +
      'cited: no citations\n' +
      '\nNot compared: 1 check (judges the site).',
  )
  expect(json[0]).toMatchObject({
    id: 'title-missing',
    passingPages: 7,
    failingPages: 5,
    crawled: { difference: 85.71, passing: { value: 85.71, pages: 7 }, reason: null },
    cited: { difference: null, reason: 'no_citations' },
  })
})
