import { type Ratio, roundFraction } from '../metrics.ts'

/** A number as a fraction with a positive denominator. A percentage is 100 times the fraction. */
export interface Exact {
  readonly numerator: bigint
  readonly denominator: bigint
  readonly scale: 1 | 100
}

/** To two decimals, half away from zero. */
export function roundedExact({ numerator, denominator, scale }: Exact): number {
  return roundFraction(numerator * BigInt(scale), denominator)
}

/** The greatest whole number that divides both; `b` is positive. */
export function greatestDivisor(a: bigint, b: bigint): bigint {
  let [high, low] = [a < 0n ? -a : a, b]
  while (low > 0n) [high, low] = [low, high % low]
  return high
}

/** The reduced fraction in numbers. */
export function ratioOf({ numerator, denominator, scale }: Exact): Ratio {
  const by = greatestDivisor(numerator, denominator)
  return {
    numerator: Number(numerator / by),
    denominator: Number(denominator / by),
    scale,
    subset: false,
  }
}
