import { hash } from 'node:crypto'

/** A number between 0 and 1 for a monitor and a day, both excluded. A recount draws the same. */
export function uniformOf(monitorId: string, day: string): number {
  const digits = hash('sha256', JSON.stringify([monitorId, day]), 'hex').slice(0, 13)
  return (Number.parseInt(digits, 16) + 0.5) / 2 ** 52
}

/**
 * The share of scores that are at most the last one, where `uniform` splits ties. If the order of the scores is chance,
 * it is uniform, and independent of those before.
 * @see Vovk, Gammerman & Shafer (2005), Algorithmic Learning in a Random World, 2.5; arXiv 2102.10439
 */
export function rankOfLast(scores: readonly number[], uniform: number): number {
  const last = scores.at(-1) ?? 0
  let below = 0
  let equal = 0
  for (const score of scores) {
    if (score < last) below++
    else if (score === last) equal++
  }
  return (below + uniform * equal) / scores.length
}

/** What a bet of 1 on small ranks returns. Its mean over uniform ranks is 1. */
export const betOn = (rank: number) => 0.5 / Math.sqrt(rank)

/** The correlation of each number with the next; 0 where all are alike. */
export function lagOne(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let product = 0
  let square = 0
  for (const [at, value] of values.entries()) {
    square += (value - mean) ** 2
    if (at > 0) product += (value - mean) * ((values[at - 1] ?? mean) - mean)
  }
  return square === 0 ? 0 : product / square
}
