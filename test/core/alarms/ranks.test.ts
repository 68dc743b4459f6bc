import { describe, expect, test } from 'vitest'
import { lagOne, rankOfLast, uniformOf } from '../../../core/alarms/ranks.ts'
import { type Cell, type Day, scoring } from '../../../core/alarms/series/days.ts'

function* ordersOf<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length === 0) yield []
  for (const [at, item] of items.entries()) {
    for (const order of ordersOf(items.toSpliced(at, 1))) yield [item, ...order]
  }
}

/** The mean of ½ p^−½ over the ranks that ties leave open: (√high − √low) ⁄ (high − low). */
function meanBet(scores: readonly number[]): number {
  const [low, high] = [rankOfLast(scores, 0), rankOfLast(scores, 1)]
  return (Math.sqrt(high) - Math.sqrt(low)) / (high - low)
}

/** What bets on each of the days multiply to, where each day is compared with those before it. */
function productOf(days: readonly Day[], from: number): number {
  const scored = scoring()
  return days.reduce((product, day, at) => {
    scored.add(day)
    return at < from ? product : product * meanBet(scored.scores())
  }, 1)
}

const dayWith = (cells: Record<string, readonly [sum: number, n: number]>): Day => ({
  day: '2026-01-01',
  cells: new Map(Object.entries(cells).map(([key, [sum, n]]) => [key, { n, sum } satisfies Cell])),
})

const plain = (...sums: readonly number[]) => sums.map((sum) => dayWith({ all: [sum, 10] }))

describe('bets on the ranks of days whose order is chance', () => {
  test.each([
    ['days that differ', plain(1, 2, 3, 4, 5, 6, 7)],
    ['days of which some are alike', plain(3, 3, 3, 5, 5, 8, 8)],
    ['days that are all alike', plain(4, 4, 4, 4, 4, 4)],
    [
      'days without some of the prompts',
      [
        dayWith({ a: [9, 10], b: [1, 10] }),
        dayWith({ a: [8, 10], b: [0, 10] }),
        dayWith({ a: [9, 10] }),
        dayWith({ b: [2, 7] }),
        dayWith({ a: [3, 4], b: [1, 3], c: [2, 2] }),
        dayWith({ c: [1, 2], b: [1, 10] }),
      ],
    ],
  ])('multiply to 1 on average over all orders of %s', (_name, days) => {
    const products = [...ordersOf(days)].map((order) => productOf(order, 3))
    const mean = products.reduce((sum, product) => sum + product, 0) / products.length
    expect(mean).toBeCloseTo(1, 10)
  })
})

test('a rank counts lower scores, and a part of equal ones', () => {
  expect(rankOfLast([5, 3, 1, 3, 3], 0.5)).toBe((1 + 0.5 * 3) / 5)
})

test('a day without a prompt that does well is no lower for it', () => {
  const scored = scoring()
  for (const day of [
    dayWith({ good: [9, 10], bad: [1, 10] }),
    dayWith({ good: [9, 10], bad: [1, 10] }),
    dayWith({ bad: [1, 10] }),
  ]) {
    scored.add(day)
  }
  expect(scored.scores()).toEqual([0, 0, 0])
})

test('splits ties by a number of the monitor and the day', () => {
  expect(uniformOf('a', '2026-01-01')).toBe(uniformOf('a', '2026-01-01'))
  expect(uniformOf('a', '2026-01-01')).not.toBe(uniformOf('b', '2026-01-01'))
  expect(uniformOf('a', '2026-01-01')).not.toBe(uniformOf('a', '2026-01-02'))
})

test('correlates each day with the next', () => {
  // Deviations −1, −1, 1, 1: products 1 − 1 + 1, squares 4.
  expect(lagOne([1, 1, 3, 3])).toBe(0.25)
  expect(lagOne([2, 2, 2])).toBe(0)
})
