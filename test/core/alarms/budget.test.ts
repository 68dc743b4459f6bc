import { expect, test } from 'vitest'
import { attributionOf } from '../../../core/alarms/attribution.ts'
import { budgetsOf } from '../../../core/alarms/budget.ts'
import { budgetOf } from '../../../core/alarms/kinds/kinds.ts'

test('the kinds divide one false alarm a year', () => {
  const monitors = Object.keys(budgetOf).map((kind) => ({
    id: kind,
    kind: kind as keyof typeof budgetOf,
  }))
  const budgets = budgetsOf(monitors)
  expect([...budgets.values()].reduce((sum, budget) => sum + budget, 0)).toBeCloseTo(1, 12)
  expect(budgets.get('visibility.fell')).toBeCloseTo(0.3, 12)
})

test('monitors of a kind divide its part, an own weight replaces it, and what is disabled leaves its part to others', () => {
  const budgets = budgetsOf(
    [
      { id: 'own', kind: 'visibility.fell', weight: 0.6 },
      { id: 'a', kind: 'competitor.gained' },
      { id: 'b', kind: 'competitor.gained' },
    ],
    2,
  )
  // 0.6, 0.1 and 0.1 of 0.8, for two false alarms a year.
  expect([...budgets].map(([id, budget]) => [id, Math.round(1e9 * budget) / 1e9])).toEqual([
    ['own', 1.5],
    ['a', 0.25],
    ['b', 0.25],
  ])
})

const change = { since: '2026-05-10', openedOn: '2026-05-18' }
const sooner = { since: '2026-04-01', openedOn: '2026-04-09' }
const later = { since: '2026-05-12', openedOn: '2026-05-25' }

test.each([
  ['you', 'the brand moved against control brands', [], [later]],
  ['you', 'both moved, and the brand more', [later], [later]],
  ['assistant', 'the control brands moved with it', [later], []],
  ['unknown', 'neither was found to move', [], []],
  ['unknown', 'they moved at another time', [sooner], [sooner]],
])('the change is attributed to %s where %s', (attribution, _why, control, difference) => {
  expect(attributionOf(change, { control, difference })).toBe(attribution)
})
