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

/** What answers give for each metric. */
export function countClaims(
  answers: readonly Pick<ProvenAnswer, 'mentions' | 'position'>[],
): Record<Metric, Counted> {
  const positions = answers.flatMap(({ position }) => position ?? [])
  const mentionedIn = positions.length
  const all = answers.reduce((sum, { mentions }) => sum + mentions.length, 0)
  return {
    visibility: { numerator: mentionedIn, denominator: answers.length },
    share_of_voice: { numerator: mentionedIn, denominator: all },
    average_position: {
      numerator: positions.reduce((sum, position) => sum + position, 0),
      denominator: mentionedIn,
    },
  }
}
