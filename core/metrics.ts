/**
 * Ratios keep numerator and denominator until the last step. Rounding is to two decimals, half away from zero.
 * It works on the integers: a float may already have lost the half.
 */

export interface Ratio {
  readonly numerator: number
  readonly denominator: number
  /** 100 for a percentage, 1 for a plain quotient. */
  readonly scale: 1 | 100
  /** The numerator counts a subset of what the denominator counts, so that an interval makes sense. */
  readonly subset: boolean
  /** The least denominator that gives a value in GraphQL's `Metric`; 1 by default. */
  readonly fewest?: number
}

/** 100 · numerator ⁄ denominator, where the numerator counts a subset of the denominator. */
export function share(numerator: number, denominator: number): Ratio {
  return { numerator, denominator, scale: 100, subset: true }
}

/** numerator ⁄ denominator, an average. */
export function average(numerator: number, denominator: number): Ratio {
  return { numerator, denominator, scale: 1, subset: false }
}

/** Whether a ratio is of too few to have a value in GraphQL. */
export const isOfFew = ({ denominator, fewest = 1 }: Ratio) => denominator < fewest

/** The rounded value, or null without a denominator. */
export function rounded(ratio: Ratio): number | null {
  if (ratio.denominator === 0) return null
  return roundQuotient(ratio.numerator * ratio.scale, ratio.denominator)
}

/** The rounded value where the row's existence guarantees a denominator. */
export function roundedOrZero(ratio: Ratio): number {
  return rounded(ratio) ?? 0
}

/** n ⁄ d to two decimals, half away from zero; n and d are integers, d > 0. */
export function roundQuotient(n: number, d: number): number {
  return roundFraction(BigInt(n), BigInt(d))
}

/** The same for integers of any size. */
export function roundFraction(n: bigint, d: bigint): number {
  const magnitude = ((n < 0n ? -n : n) * 200n + d) / (d * 2n)
  return Number(n < 0n ? -magnitude : magnitude) / 100 // a bigint knows no -0
}

/** A float to two decimals, half away from zero. */
export function roundFloat(value: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * 100)) / 100 + 0 // no -0
}

/** The rounded difference of the unrounded values, a − b; null where either has no denominator. */
export function difference(a: Ratio, b: Ratio): number | null {
  if (a.denominator === 0 || b.denominator === 0) return null
  const [m, n] = [BigInt(a.denominator), BigInt(b.denominator)]
  const scaled = (ratio: Ratio) => BigInt(ratio.numerator * ratio.scale)
  return roundFraction(scaled(a) * n - scaled(b) * m, m * n)
}

/** Relative growth in percent: from nothing to something is 100, from nothing to nothing 0. */
export function growth(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 100 : 0
  return roundQuotient((current - previous) * 100, previous)
}

/** The 97.5 % quantile of the normal distribution. */
export const z = 1.959963984540054

/** The bounds of the 95 % Wilson score interval of k of n, as fractions from 0 to 1; n > 0. */
export function wilsonBounds(k: number, n: number): { low: number; high: number } {
  return wilsonAt(k / n, n, z)
}

/**
 * The bounds of the Wilson score interval of a share p of n, as fractions from 0 to 1.
 * @param n above 0; not whole where answers are alike and count for fewer
 * @param z the critical value: 1.96 for 95 % where n is large
 * @see Wilson, E. B. (1927), Journal of the American Statistical Association 22 (158)
 */
export function wilsonAt(p: number, n: number, z: number): { low: number; high: number } {
  const centre = p + z ** 2 / (2 * n)
  const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  const scale = 1 + z ** 2 / n
  const within = (value: number) => Math.min(1, Math.max(0, value))
  return { low: within((centre - spread) / scale), high: within((centre + spread) / scale) }
}

/** The 95 % Wilson score interval of a share, in percent and rounded; null where it makes no sense. */
export function wilson(ratio: Ratio): { low: number; high: number } | null {
  const { numerator: k, denominator: n, subset } = ratio
  if (!subset || n === 0) return null
  const { low, high } = wilsonBounds(k, n)
  const percent = (value: number) => Math.round(value * 10_000) / 100
  return { low: percent(low), high: percent(high) }
}

/**
 * The 95 % interval of the difference of two shares, a − b, in percentage points and rounded. It holds for small
 * numbers too. Null where either has no denominator.
 * @see Newcombe, R. G. (1998), Statistics in Medicine 17 (8), method 10
 */
export function newcombe(a: Ratio, b: Ratio): { low: number; high: number } | null {
  if (!a.subset || !b.subset || a.denominator === 0 || b.denominator === 0) return null
  const [p, q] = [a.numerator / a.denominator, b.numerator / b.denominator]
  const ofA = wilsonBounds(a.numerator, a.denominator)
  const ofB = wilsonBounds(b.numerator, b.denominator)
  const below = Math.hypot(p - ofA.low, ofB.high - q)
  const above = Math.hypot(ofA.high - p, q - ofB.low)
  return { low: roundFloat(100 * (p - q - below)), high: roundFloat(100 * (p - q + above)) }
}
