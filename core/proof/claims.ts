import { average, rounded, share } from '../metrics.ts'
import { type Claim, claimedMetrics, type ProvenAnswer } from './format.ts'

export type Metric = Claim['metric']
type Counted = Pick<Claim, 'numerator' | 'denominator'>

export const metrics = Object.keys(claimedMetrics) as Metric[]

/** A claim about two counts. */
export function claimOf(metric: Metric, { numerator, denominator }: Counted): Claim {
  const ratioOf = metric === 'average_position' ? average : share
  return { metric, numerator, denominator, value: rounded(ratioOf(numerator, denominator)) }
}

/** What the claims follow from. */
export interface AnswerCounts {
  readonly answers: number
  /** Answers that mention the brand. */
  readonly mentionedIn: number
  /** Tracked brands of all answers, each once an answer. */
  readonly mentions: number
  /** Sum of the positions of the brand. */
  readonly positions: number
}

/** What counts of answers give for each metric. */
export function countsOfMetrics({
  answers,
  mentionedIn,
  mentions,
  positions,
}: AnswerCounts): Record<Metric, Counted> {
  return {
    visibility: { numerator: mentionedIn, denominator: answers },
    share_of_voice: { numerator: mentionedIn, denominator: mentions },
    average_position: { numerator: positions, denominator: mentionedIn },
  }
}

/** Counts answers from their entries. */
export function countAnswers(
  answers: readonly Pick<ProvenAnswer, 'mentions' | 'position'>[],
): AnswerCounts {
  const positions = answers.flatMap(({ position }) => position ?? [])
  return {
    answers: answers.length,
    mentionedIn: positions.length,
    mentions: answers.reduce((sum, { mentions }) => sum + mentions.length, 0),
    positions: positions.reduce((sum, position) => sum + position, 0),
  }
}
