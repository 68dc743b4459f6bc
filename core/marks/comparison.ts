import type { Bounds } from '../intervals/intervals.ts'
import type { Fraction } from '../intervals/paired.ts'
import { studentT } from '../intervals/student-t.ts'

/**
 * Whether something that was done helped: the prompts that it concerns against the others, after against before. What
 * moves all prompts alike, such as another model, cancels out. Prompts are the sample, each of the same weight.
 */

/** A day after the mark with answers to a prompt: `d` answers, of which `n` count. */
interface MarkDay extends Fraction {
  /** Days since the mark, from 1. */
  readonly at: number
}

export interface MarkedPrompt {
  readonly isConcerned: boolean
  /** All answers of the days before. */
  readonly before: Fraction
  /** By `at`. */
  readonly days: readonly MarkDay[]
}

/** Days before the mark, whole weeks, and days that are looked at after it. */
export const daysBefore = 56
export const daysAfter = 182
const fewestPrompts = 5
const fewestAnswers = 30
/** Evidence that chance reaches in 5 % of comparisons at most, at whichever day one looks. */
export const enoughEvidence = 20
/** The effect that the evidence bets on: its standard deviation, as a fraction. */
const likelyEffect = 0.1

export const verdicts = {
  rose: 'The prompts that it concerns rose against the others, and chance does not explain it.',
  fell: 'The prompts that it concerns fell against the others, and chance does not explain it.',
  not_yet: 'The answers so far do not show whether it helped.',
  none_found: 'Half a year of answers shows no difference.',
  not_comparable:
    'There are fewer than 5 prompts that it concerns, or 5 others, with answers before.',
} as const

export type Verdict = keyof typeof verdicts

/** The mean share of the prompts of one side, as fractions. */
export interface Side {
  readonly prompts: number
  readonly before: number | null
  readonly after: number | null
}

export interface Comparison {
  readonly verdict: Verdict
  readonly concerned: Side
  readonly others: Side
  /** Change of the concerned prompts minus that of the others, as a fraction, with its 95 % interval. */
  readonly effect: number | null
  readonly interval: Bounds | null
  /** The most evidence of any day, of which 20 are enough; null where nothing was compared. */
  readonly evidence: number | null
  /** Days since the mark: when the evidence was enough, and when the difference probably began. */
  readonly shownAt: number | null
  readonly sinceAt: number | null
}

interface Moments {
  readonly count: number
  readonly mean: number
  /** Of the mean. */
  readonly variance: number
}

function momentsOf(values: readonly number[]): Moments {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count, mean, variance: squares / (count - 1) / count }
}

interface Look {
  readonly effect: number
  readonly variance: number
  /** As if both sides vary alike, where that is more: few prompts may look alike by chance. */
  readonly carefulVariance: number
  readonly degrees: number
}

/**
 * The difference of two means with its variance and degrees of freedom.
 * @see Welch, B. L. (1947), Biometrika 34 (1/2)
 */
function lookAt(concerned: readonly number[], others: readonly number[]): Look | null {
  if (Math.min(concerned.length, others.length) < fewestPrompts) return null
  const [a, b] = [momentsOf(concerned), momentsOf(others)]
  const variance = a.variance + b.variance
  if (variance === 0) return null
  const degrees =
    variance ** 2 / (a.variance ** 2 / (a.count - 1) + b.variance ** 2 / (b.count - 1))
  const [m, n] = [a.count, b.count]
  const squares = a.variance * m * (m - 1) + b.variance * n * (n - 1)
  const pooled = (squares / (m + n - 2)) * (1 / m + 1 / n)
  return {
    effect: a.mean - b.mean,
    variance,
    carefulVariance: Math.max(variance, pooled),
    degrees,
  }
}

/**
 * How many times likelier t is with a normal effect than without one: its mean is 1 without one, at every look. As
 * answers come in, the estimate moves as a sum of independent parts, for which this is a martingale.
 * @see Robbins, H. (1970), Annals of Mathematical Statistics 41 (5); Rouder, J. N. et al. (2009), Psychonomic Bulletin & Review 16 (2)
 */
function evidenceOf({ effect, carefulVariance: variance, degrees }: Look): number {
  const spread = 1 + likelyEffect ** 2 / variance
  const square = effect ** 2 / variance / degrees
  return spread ** -0.5 * ((1 + square) / (1 + square / spread)) ** ((degrees + 1) / 2)
}

const shareOf = ({ n, d }: Fraction) => n / d

const summed = (parts: readonly Fraction[]): Fraction =>
  parts.reduce<Fraction>((sum, { n, d }) => ({ n: sum.n + n, d: sum.d + d }), { n: 0, d: 0 })

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const sideOf = (prompts: readonly MarkedPrompt[]): Side => {
  const both = prompts.filter(({ before, days }) => before.d > 0 && days.length > 0)
  return {
    prompts: both.length,
    before: mean(both.map(({ before }) => shareOf(before))),
    after: mean(both.map(({ days }) => shareOf(summed(days)))),
  }
}

/** The changes of the prompts up to each day with answers, by side. */
function* looksOf(prompts: readonly MarkedPrompt[]) {
  const known = prompts
    .filter(({ before }) => before.d > 0)
    .map(({ isConcerned, before, days }) => ({
      isConcerned,
      was: shareOf(before),
      days,
      n: 0,
      d: 0,
      next: 0,
    }))
  const dates = [...new Set(prompts.flatMap(({ days }) => days.map(({ at }) => at)))]
  for (const at of dates.toSorted((a, b) => a - b)) {
    const sides: [number[], number[]] = [[], []]
    const answers: [number, number] = [0, 0]
    for (const prompt of known) {
      const day = prompt.days[prompt.next]
      if (day?.at === at) {
        prompt.n += day.n
        prompt.d += day.d
        prompt.next += 1
      }
      if (prompt.d === 0) continue
      const side = prompt.isConcerned ? 0 : 1
      sides[side].push(prompt.n / prompt.d - prompt.was)
      answers[side] += prompt.d
    }
    const look = Math.min(...answers) < fewestAnswers ? null : lookAt(...sides)
    if (look) yield { at, look }
  }
}

/** The day from which the difference of the sides is best explained by one step, of those until `end`. */
function stepOf(prompts: readonly MarkedPrompt[], end: number): number | null {
  const byDay = Map.groupBy(
    prompts
      .filter(({ before }) => before.d > 0)
      .flatMap(({ isConcerned, before, days }) =>
        days.map((day) => ({ at: day.at, isConcerned, moved: shareOf(day) - shareOf(before) })),
      ),
    ({ at }) => at,
  )
  const differences = [...byDay]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([at, moves]) => {
      const [concerned, others] = [true, false].map((side) =>
        mean(moves.filter(({ isConcerned }) => isConcerned === side).map(({ moved }) => moved)),
      )
      return concerned == null || others == null || at > end
        ? []
        : [{ at, value: concerned - others }]
    })
  // Before the step the sides differ as they did before the mark: by 0. After it, by their mean.
  let best: { at: number; gain: number } | null = null
  let [sum, count] = [0, 0]
  for (const { at, value } of differences.toReversed()) {
    sum += value
    count += 1
    const gain = sum ** 2 / count
    if (!best || gain >= best.gain) best = { at, gain }
  }
  return best?.at ?? null
}

/** @param isOver whether half a year has passed since the mark */
export function compare(prompts: readonly MarkedPrompt[], isOver: boolean): Comparison {
  const concerned = sideOf(prompts.filter(({ isConcerned }) => isConcerned))
  const others = sideOf(prompts.filter(({ isConcerned }) => !isConcerned))
  const asked = { concerned, others }
  const nothing = { effect: null, interval: null, evidence: null, shownAt: null, sinceAt: null }
  const counts = [true, false].map(
    (side) =>
      prompts.filter(({ isConcerned, before }) => isConcerned === side && before.d > 0).length,
  )
  if (Math.min(...counts) < fewestPrompts)
    return { verdict: 'not_comparable', ...asked, ...nothing }
  let last: Look | null = null
  let evidence: number | null = null
  let crossed: { at: number; isRise: boolean } | null = null
  for (const { at, look } of looksOf(prompts)) {
    last = look
    evidence = Math.max(evidence ?? 0, evidenceOf(look))
    if (!crossed && evidence >= enoughEvidence) crossed = { at, isRise: look.effect > 0 }
  }
  if (!last) return { verdict: isOver ? 'none_found' : 'not_yet', ...asked, ...nothing }
  const spread = studentT(0.95, Math.max(1, Math.floor(last.degrees))) * Math.sqrt(last.variance)
  const unsure = isOver ? 'none_found' : 'not_yet'
  return {
    verdict: crossed ? (crossed.isRise ? 'rose' : 'fell') : unsure,
    ...asked,
    effect: last.effect,
    interval: { low: last.effect - spread, high: last.effect + spread },
    evidence,
    shownAt: crossed?.at ?? null,
    sinceAt: crossed && stepOf(prompts, daysAfter),
  }
}
