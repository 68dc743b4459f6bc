import { roundFloat } from '../metrics.ts'
import { counted } from '../text/counted.ts'
import { decimal } from '../text/decimal.ts'
import { type ActionType, easeOf } from './score.ts'

/** What an opportunity can change, at most, in facts that were counted over 30 days. */

/** The number that an opportunity moves, with what its value counts. */
export const effectMetrics = {
  visibility: 'Points of visibility that it can win.',
  citations: 'Points of the share of answers that cite an own page, which it can win.',
  siteScore: 'Points of the site score that it can win.',
  negative: 'Points by which it can lower the share of answers that are negative about the brand.',
  coverage: 'Answers of a month that rely on an untracked search and do not mention the brand.',
  searches: 'Impressions of a month of an untracked search.',
} as const

export type EffectMetric = keyof typeof effectMetrics

export interface Effect {
  readonly metric: EffectMetric
  /** Points, answers or impressions, by the metric. */
  readonly value: number
  /** Answers of the 30 days that it can change, at most. Opportunities are ranked by them, whatever they move. */
  readonly answers: number
  /** Why the value is what it is, in one sentence. */
  readonly reason: string
}

/** Percent that so many of all answers are: points of a share of them. */
export const shareOf = (answers: number, all: number) =>
  all === 0 ? 0 : roundFloat((100 * answers) / all)

/**
 * An effect on a share of the answers of the window.
 * @param answers that can change, of `all` of the project
 */
export function effectOnShare(
  metric: 'visibility' | 'citations' | 'negative',
  answers: number,
  all: number,
  reason: string,
): Effect {
  return { metric, value: shareOf(answers, all), answers, reason }
}

/** An effect on the site score, for issues. `answers` cite the pages. */
export function effectOnScore(points: number, answers: number, reason: string): Effect {
  return { metric: 'siteScore', value: roundFloat(points), answers, reason }
}

/** The answers behind a search that no prompt tracks. */
export function effectOfTracking(answers: number, reason: string): Effect {
  return { metric: 'coverage', value: answers, answers, reason }
}

/** The impressions behind a search that no prompt tracks: how many answers there are is unknown. */
export function effectOfSearches(impressions: number, reason: string): Effect {
  return { metric: 'searches', value: impressions, answers: 0, reason }
}

function points(value: number, sign = '+'): string {
  if (value < 0.05) return `under ${sign}0.1 points`
  const shown = decimal(value)
  return `up to ${sign}${shown} ${shown === '1' ? 'point' : 'points'}`
}

/** The effect in a few words, such as "up to +2.1 points of visibility". */
export function effectText({ metric, value }: Pick<Effect, 'metric' | 'value'>): string {
  switch (metric) {
    case 'visibility':
      return `${points(value)} of visibility`
    case 'citations':
      return `${points(value)} of answers that cite you`
    case 'siteScore':
      return `${points(value)} of site score`
    case 'negative':
      return `${points(value, '−')} of negative answers`
    case 'coverage':
      return `${counted(value, 'answer')} a month to win`
    case 'searches':
      return `${decimal(value)} searches a month to follow`
  }
}

type EffectLevel = 'high' | 'medium' | 'low'

/** Percent of the answers of a month from which an effect is high, and medium. */
export const levelBounds = { high: 2, medium: 0.5 } as const

/** @param share percent of the answers of the 30 days that can change */
export function effectLevelOf(share: number): EffectLevel {
  if (share >= levelBounds.high) return 'high'
  return share >= levelBounds.medium ? 'medium' : 'low'
}

type Effort = 'low' | 'medium' | 'high'

/** The effort of an action, by how easy it is. */
export function effortOf(action: ActionType): Effort {
  const ease = easeOf[action]
  if (ease >= 0.8) return 'low'
  return ease >= 0.5 ? 'medium' : 'high'
}
