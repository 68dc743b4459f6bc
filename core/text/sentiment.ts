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

export const raters = ['lexicon', 'judge'] as const
/** Who rates tones: the lexicon, or a model at a provider. */
export type Rater = (typeof raters)[number]

/** How the answers of a report were rated. An import may bring sentiments of its own. */
export const sentimentMethods = ['lexicon', 'imported', 'mixed', 'judge'] as const

/** Number of rated answers by tone. */
type RatedCounts = Pick<ToneCounts, Tone>

/** Number of answers that name the brand, by tone. Rated answers have a sentiment. */
export interface ToneCounts {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
  /** Answers that name the brand, and say no more of it or are in a language that the lexicon does not cover. */
  readonly unrated: number
  /** Rated answers whose sentiment the import brought. */
  readonly brought: number
  /** Version of the judge, or of the lexicon; empty where it rated none. */
  readonly version: string
  readonly rater?: Rater
}

export const noTones: ToneCounts = {
  positive: 0,
  neutral: 0,
  negative: 0,
  unrated: 0,
  brought: 0,
  version: '',
}

/** A score of fewer rated answers says little: GraphQL leaves its value out, and gives the counts. */
export const fewestRated = 5

export function ratedAnswers({ positive, neutral, negative }: RatedCounts): number {
  return positive + neutral + negative
}

/** A report of the lexicon says how many of its sentiments are of the import. */
export function methodOf(counts: ToneCounts): (typeof sentimentMethods)[number] {
  if (counts.rater === 'judge') return 'judge'
  if (counts.brought === 0) return 'lexicon'
  return counts.brought === ratedAnswers(counts) ? 'imported' : 'mixed'
}

/** Sentiment score: 0 when all rated answers are negative, 50 neutral, 100 positive. Neutral counts half. */
export function sentimentScore(counts: RatedCounts): Ratio {
  return {
    numerator: counts.positive + counts.neutral / 2,
    denominator: ratedAnswers(counts),
    scale: 100,
    subset: false,
    fewest: fewestRated,
  }
}

/** Percent of positive minus percent of negative rated answers, -100 to 100. */
export function netSentiment(counts: RatedCounts): Ratio {
  return {
    numerator: counts.positive - counts.negative,
    denominator: ratedAnswers(counts),
    scale: 100,
    subset: false,
    fewest: fewestRated,
  }
}
