import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  average,
  difference,
  growth,
  newcombe,
  rounded,
  roundedOrZero,
  roundQuotient,
  share,
  wilson,
} from '../../core/metrics.ts'

describe('rounding', () => {
  test.each([
    ['a third', 1, 3, 0.33],
    ['two thirds', 2, 3, 0.67],
    ['a tie: 0.125', 1, 8, 0.13],
    ['a tie below zero: -0.125', -1, 8, -0.13],
    ['a tie that a float has lost: 1.005', 201, 200, 1.01],
    ['a tie that a float has lost: 8.575', 343, 40, 8.58],
    ['a tie that a float has lost: -1.005', -201, 200, -1.01],
    ['just below a tie: 0.1249', 1249, 10_000, 0.12],
    ['just above a tie: 0.1251', 1251, 10_000, 0.13],
    ['the smallest tie: 0.005', 1, 200, 0.01],
    ['a whole number', 6, 3, 2],
    ['more digits than a float of the quotient keeps', 9_007_199_254_740_991, 1, 2 ** 53 - 1],
  ])('%s', (_name, n, d, expected) => {
    expect(roundQuotient(n, d)).toBe(expected)
  })

  test('what rounds to zero is 0, never -0', () => {
    expect(Object.is(roundQuotient(0, 7), 0)).toBe(true)
    expect(Object.is(roundQuotient(-1, 1000), 0)).toBe(true)
  })

  const numerator = fc.integer({ min: -(10 ** 12), max: 10 ** 12 })
  const denominator = fc.integer({ min: 1, max: 10 ** 9 })

  test('gives the nearest hundredth, and of two the one farther from zero', () => {
    fc.assert(
      fc.property(numerator, denominator, (n, d) => {
        const hundredths = BigInt(Math.round(roundQuotient(n, d) * 100))
        const [exact, per] = [BigInt(n) * 100n, BigInt(d)]
        const error = hundredths * per - exact
        const twice = 2n * (error < 0n ? -error : error)
        expect(twice <= per).toBe(true)
        if (twice === per) expect(error > 0n).toBe(n > 0)
      }),
    )
  })

  test('has at most two decimals in its text, which is what a client reads', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), denominator, (n, d) => {
        expect(JSON.stringify(roundQuotient(n, d))).toMatch(/^-?\d+(\.\d{1,2})?$/)
      }),
    )
  })

  test('is the same on both sides of zero', () => {
    fc.assert(
      fc.property(numerator, denominator, (n, d) => {
        expect(roundQuotient(-n, d)).toBe(0 - roundQuotient(n, d))
      }),
    )
  })
})

describe('a ratio', () => {
  test('of a part is a percentage, an average is a plain quotient', () => {
    expect(rounded(share(1, 3))).toBe(33.33)
    expect(rounded(share(3, 3))).toBe(100)
    expect(rounded(average(7, 3))).toBe(2.33)
  })

  test('without a denominator is null, or 0 where the row vouches for one', () => {
    expect(rounded(share(0, 0))).toBeNull()
    expect(rounded(average(0, 0))).toBeNull()
    expect(roundedOrZero(share(0, 0))).toBe(0)
    expect(roundedOrZero(share(1, 4))).toBe(25)
  })

  test('of nothing in something is 0, not null', () => {
    expect(rounded(share(0, 5))).toBe(0)
  })
})

describe('growth', () => {
  test.each([
    [3, 2, 50],
    [2, 3, -33.33],
    [5, 5, 0],
    [0, 4, -100],
    [4, 0, 100],
    [0, 0, 0],
    [9, 8, 12.5],
    [1601, 1600, 0.06], // 0.0625
    [801, 800, 0.13], // 0.125: a tie
    [799, 800, -0.13],
  ])('%i after %i is %d %%', (current, previous, expected) => {
    expect(growth(current, previous)).toBe(expected)
  })
})

describe('a difference', () => {
  test.each([
    ['of the unrounded values: 42.86 − 33.33 would be 9.53', share(3, 7), share(1, 3), 9.52],
    ['may fall', share(2, 7), share(2, 3), -38.1],
    ['rounds a tie away from zero', average(0, 1), average(1, 8), -0.13],
    ['is exact beyond the safe integers', share(10 ** 15, 10 ** 15), share(0, 10 ** 15), 100],
    ['is null without a denominator', share(0, 0), share(1, 3), null],
    ['is null without a denominator before', share(1, 3), share(0, 0), null],
  ])('%s', (_name, current, previous, expected) => {
    expect(difference(current, previous)).toBe(expected)
  })
})

describe('the Wilson interval', () => {
  // Reckoned from Wilson's formula with z = 1.959963984540054, apart from this code.
  test.each([
    [0, 1, 0, 79.35],
    [1, 1, 20.65, 100],
    [0, 10, 0, 27.75],
    [5, 10, 23.66, 76.34],
    [10, 10, 72.25, 100],
    [3, 20, 5.24, 36.04],
    [50, 100, 40.38, 59.62],
    [81, 263, 25.53, 36.62],
  ])('of %i in %i is %d to %d', (k, n, low, high) => {
    expect(wilson(share(k, n))).toEqual({ low, high })
  })

  test('is null for an average, and without a denominator', () => {
    expect(wilson(average(5, 10))).toBeNull()
    expect(wilson(share(0, 0))).toBeNull()
  })

  const counts = fc
    .integer({ min: 1, max: 10 ** 7 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

  test('lies between 0 and 100 and holds the share itself', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const { low, high } = wilson(share(k, n)) ?? { low: Number.NaN, high: Number.NaN }
        const value = roundedOrZero(share(k, n))
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(100)
        expect(low).toBeLessThanOrEqual(value)
        expect(high).toBeGreaterThanOrEqual(value)
      }),
    )
  })

  test('of the rest is the mirror image', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const some = wilson(share(k, n))
        const rest = wilson(share(n - k, n))
        expect(rest?.low).toBeCloseTo(100 - (some?.high ?? Number.NaN), 1)
        expect(rest?.high).toBeCloseTo(100 - (some?.low ?? Number.NaN), 1)
      }),
    )
  })

  test('narrows with every tenfold of answers', () => {
    const widths = [10, 100, 1000, 10_000].map((n) => {
      const interval = wilson(share(n / 2, n))
      return (interval?.high ?? 0) - (interval?.low ?? 0)
    })
    expect(widths).toEqual([...widths].sort((a, b) => b - a))
    expect(new Set(widths).size).toBe(4)
  })
})

describe("Newcombe's interval of a difference", () => {
  // The first three are examples of Newcombe's paper, in percent. The others are reckoned apart from this code.
  test.each([
    [share(56, 70), share(48, 80), 5.24, 33.39],
    [share(9, 10), share(3, 10), 17.05, 80.9],
    [share(10, 10), share(0, 20), 67.91, 100],
    [share(6, 7), share(0, 5), 28.63, 97.43],
    [share(2, 7), share(1, 5), -38.5, 47.7],
  ])('of %j and %j is %d to %d', (a, b, low, high) => {
    expect(newcombe(a, b)).toEqual({ low, high })
    expect(newcombe(b, a)).toEqual({ low: 0 - high, high: 0 - low })
  })

  test('is null for an average, and without a denominator', () => {
    expect(newcombe(average(1, 2), share(1, 2))).toBeNull()
    expect(newcombe(share(1, 2), share(0, 0))).toBeNull()
  })
})
