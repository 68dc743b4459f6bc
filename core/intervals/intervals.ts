import { wilsonAt, z } from '../metrics.ts'
import { studentT } from './student-t.ts'

/**
 * Two 95 % intervals of a ratio Σa ⁄ Σb over answers to prompts: for other prompts like these, and for the same prompts
 * asked again. Both need sums alone, whatever the number of answers.
 */

/** Σa², Σa·b and Σb² of pairs (a, b). The sum of (a − r·b)² follows for every r. */
export interface Squares {
  readonly aa: number
  readonly ab: number
  readonly bb: number
}

/** The sums of a ratio that both intervals need. */
export interface Sample {
  /** The numerator and the denominator: sums over answers. */
  readonly a: number
  readonly b: number
  /** The number of prompts with a part of the denominator. */
  readonly prompts: number
  /** Of each answer. */
  readonly ofAnswers: Squares
  /** Of each prompt, from the sums of its answers. */
  readonly ofPrompts: Squares & {
    /** Σb³ and Σb⁴. */
    readonly bbb: number
    readonly bbbb: number
  }
  /**
   * m ⁄ (m − 1) · (Σxy − Σx·Σy ⁄ m) of the m answers of each stratum, added up. A stratum is a prompt on a platform; those
   * of one answer are one stratum of the platform together. Null where no stratum has two answers.
   */
  readonly ofStrata:
    | (Squares & {
        /** Σ of (Σb)² ⁄ (m − 1). */
        readonly weights: number
        /** Σ of w² ⁄ (m + 1), where w is what the stratum adds to `aa`. */
        readonly spreads: number
      })
    | null
}

/**
 * What the ratio is. `proportion`: each answer counts or does not. `share`: from 0 to 1, of unequal parts. `balance`:
 * from -1 to 1. `mean`: from 0. `rank`: a mean from 1.
 */
export type Kind = 'proportion' | 'share' | 'balance' | 'mean' | 'rank'

export interface Bounds {
  readonly low: number
  readonly high: number
}

export interface Intervals {
  /** For questions like these; null with fewer than two prompts, or where a mean never differs. */
  readonly questions: Bounds | null
  /** For exactly these questions, asked again; null where nothing was asked twice, or where a mean never differs. */
  readonly basket: Bounds | null
  /** How many independent answers say as much. */
  readonly effectiveN: number | null
  /** How many times as large the variance is as that of independent answers; at least 1. */
  readonly designEffect: number | null
}

/** Most windows have as many prompts as the last one: Student's t is computed once for each number of degrees. */
const criticalOf = new Map<number, number>()

function criticalAt(degrees: number): number {
  const known = criticalOf.get(degrees)
  if (known !== undefined) return known
  const t = studentT(0.95, degrees)
  criticalOf.set(degrees, t)
  return t
}

/** From here on the normal distribution is as good, to 0.3 %. */
const manyDegrees = 400

/** Student's t, also between whole degrees, where it is nearly linear in 1 ⁄ degrees; one degree is the least. */
function critical(degrees: number): number {
  if (degrees >= manyDegrees) return z
  const below = Math.max(1, Math.floor(degrees))
  const t = criticalAt(below)
  if (degrees <= below) return t
  return t + (below + 1) * (1 - below / degrees) * (criticalAt(below + 1) - t)
}

const none: Intervals = { questions: null, basket: null, effectiveN: null, designEffect: null }

/** The sum of (a − r·b)² without the pairs. What floats leave below zero is nothing. */
const residuals = (r: number, { aa, ab, bb }: Squares) => {
  const sum = aa - 2 * r * ab + r ** 2 * bb
  return sum > 1e-12 * (aa + r ** 2 * bb) ? sum : 0
}

/** How many times more a basket's answers may count than independent ones. */
const mostGain = 50

/** Below this number of prompts a reader is warned. */
export const fewPrompts = 10

/** The variance between prompts says little while fewer prompts than these hold most of what counts. */
const leastCarriers = 4

/**
 * Both intervals of a sample, as fractions.
 * @see Cochran, W. G. (1977), Sampling Techniques, 6.3 and 9.4 (a ratio of clusters), 5.3 (strata)
 * @see Korn, E. L. & Graubard, B. I. (1998), Survey Methodology 24 (2): the effective number of answers
 */
export function intervalsOf(sample: Sample, kind: Kind): Intervals {
  const { a, b, prompts } = sample
  if (b === 0) return none
  const r = a / b
  const simple = residuals(r, sample.ofAnswers) / b ** 2
  const basket = ofBasket(sample, kind, simple)
  if (prompts < 2) return { ...none, basket }
  const growth = isMean(kind) ? growthOf(sample) : prompts / (prompts - 1)
  const variance = growth * (residuals(r, sample.ofPrompts) / b ** 2)
  const between = simple === 0 ? b / prompts : Math.max(1, variance / simple)
  const designEffect = kind === 'proportion' ? careful(between, sample) : between
  const effectiveN = Math.max(1, b / designEffect)
  const counted = kind === 'proportion' || simple === 0
  const questions = counted
    ? byScore(r, effectiveN, critical(prompts - 1), kind)
    : byVariance(sample, kind, variance)
  return { questions, basket, effectiveN, designEffect }
}

/**
 * Prompts that hold more of the denominator weigh more, so that fewer of them speak: those of equal weight that would
 * say as much. Means have no score interval, and take the fewer degrees of their variance.
 * @see Satterthwaite, F. E. (1946), Biometrics Bulletin 2 (6)
 */
function byVariance({ a, b, ofPrompts: { bb, bbbb } }: Sample, kind: Kind, variance: number) {
  const r = a / b
  if (isMean(kind)) return around(r, critical(bb ** 2 / bbbb - 1) * Math.sqrt(variance), kind)
  const share = kind === 'balance' ? (1 + r) / 2 : r
  const varianceOfShare = kind === 'balance' ? variance / 4 : variance
  return byScore(r, (share * (1 - share)) / varianceOfShare, critical(b ** 2 / bb - 1), kind)
}

/**
 * Makes the variance unbiased where the ratios of single prompts vary alike; J ⁄ (J − 1) of equal denominators.
 * @see Bell, R. M. & McCaffrey, D. F. (2002), Survey Methodology 28 (2)
 */
function growthOf({ b, ofPrompts: { bb, bbb } }: Sample) {
  return bb / (bb - (2 * bbb) / b + bb ** 2 / b ** 2)
}

/**
 * Few prompts that hold all that counts look independent, as one of 300 answers does. The effect moves toward that of a
 * ratio of 0, for which each prompt says one thing.
 */
function careful(between: number, { a, b, prompts, ofPrompts: { aa, ab, bb } }: Sample): number {
  if (prompts < fewPrompts || a === 0 || a === b) return between
  const carriers = Math.min(a ** 2 / aa, (b - a) ** 2 / (bb - 2 * ab + aa))
  const weight = Math.min(1, carriers / leastCarriers)
  return weight * between + (1 - weight) * Math.max(between, b / prompts)
}

function ofBasket({ a, b, prompts, ofStrata }: Sample, kind: Kind, simple: number): Bounds | null {
  if (ofStrata === null) return null
  const r = a / b
  const variance = residuals(r, ofStrata) / b ** 2
  if (kind !== 'proportion' && simple > 0) {
    return around(r, critical(b ** 2 / ofStrata.weights) * Math.sqrt(variance), kind)
  }
  const gain = simple === 0 ? 1 : Math.min(mostGain, Math.max(1, simple / variance))
  const { aa, spreads } = ofStrata
  // Strata that always answer alike say nothing of the variance: Satterthwaite's degrees are of those that differ.
  const isRough = prompts >= fewPrompts && simple > 0 && spreads > 0
  return byScore(r, b * gain, isRough ? critical(aa ** 2 / spreads - 2) : z, kind)
}

/** Wilson's interval; of a balance, that of the share (1 + r) ⁄ 2. */
function byScore(r: number, n: number, at: number, kind: Kind): Bounds | null {
  if (isMean(kind)) return null
  if (kind !== 'balance') return wilsonAt(r, n, at)
  const { low, high } = wilsonAt((1 + r) / 2, n, at)
  return { low: 2 * low - 1, high: 2 * high - 1 }
}

const least: Readonly<Record<Kind, number>> = {
  proportion: 0,
  share: 0,
  balance: -1,
  mean: 0,
  rank: 1,
}

const isMean = (kind: Kind) => kind === 'mean' || kind === 'rank'

function around(r: number, spread: number, kind: Kind): Bounds {
  const most = isMean(kind) ? Infinity : 1
  return { low: Math.max(least[kind], r - spread), high: Math.min(most, r + spread) }
}
