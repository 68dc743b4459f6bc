import type { Ratio } from '../metrics.ts'

export const tones = ['positive', 'neutral', 'negative'] as const
export type Tone = (typeof tones)[number]

/**
 * Distance from zero at which a score from -1 to 1 is no longer neutral.
 * @see Hutto, C. J. & Gilbert, E. (2014), VADER: the threshold that its authors publish for compound scores
 */
export const toneThreshold = 0.05

/** Tone of a score from -1 to 1. A score at the threshold is not neutral. */
export function toneOf(score: number): Tone {
  if (score >= toneThreshold) return 'positive'
  return score <= -toneThreshold ? 'negative' : 'neutral'
}

/** Number of rated answers by tone. Rated answers name the brand and have a sentiment. */
export interface ToneCounts {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

export const noTones: ToneCounts = { positive: 0, neutral: 0, negative: 0 }

export function ratedAnswers({ positive, neutral, negative }: ToneCounts): number {
  return positive + neutral + negative
}

/** Sentiment score: 0 when all rated answers are negative, 50 neutral, 100 positive. Neutral counts half. */
export function sentimentScore(counts: ToneCounts): Ratio {
  return {
    numerator: counts.positive + counts.neutral / 2,
    denominator: ratedAnswers(counts),
    scale: 100,
    subset: false,
  }
}

/** Percent of positive minus percent of negative rated answers, -100 to 100. */
export function netSentiment(counts: ToneCounts): Ratio {
  return {
    numerator: counts.positive - counts.negative,
    denominator: ratedAnswers(counts),
    scale: 100,
    subset: false,
  }
}
