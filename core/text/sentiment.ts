import type { Ratio } from '../metrics.ts'

export const tones = ['positive', 'neutral', 'negative'] as const
export type Tone = (typeof tones)[number]

/**
 * How far a score, which runs from -1 to 1, lies from zero when it is no longer neutral.
 * @see Hutto, C. J. & Gilbert, E. (2014), VADER: the threshold that its authors publish for compound scores
 */
export const toneThreshold = 0.05

/** What a score from -1 to 1 amounts to; the threshold itself is not neutral. */
export function toneOf(score: number): Tone {
  if (score >= toneThreshold) return 'positive'
  return score <= -toneThreshold ? 'negative' : 'neutral'
}

/** Answers that name a brand and have a sentiment of it, by tone. */
export interface ToneCounts {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

export const noTones: ToneCounts = { positive: 0, neutral: 0, negative: 0 }

export function ratedAnswers({ positive, neutral, negative }: ToneCounts): number {
  return positive + neutral + negative
}

/** 0 when all are negative, 50 when all are neutral, 100 when all are positive: a neutral one is half a positive. */
export function sentimentScore(counts: ToneCounts): Ratio {
  return {
    numerator: counts.positive + counts.neutral / 2,
    denominator: ratedAnswers(counts),
    scale: 100,
    subset: false,
  }
}

/** Percent positive minus percent negative, -100 to 100. */
export function netSentiment(counts: ToneCounts): Ratio {
  return {
    numerator: counts.positive - counts.negative,
    denominator: ratedAnswers(counts),
    scale: 100,
    subset: false,
  }
}
