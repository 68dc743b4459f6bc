import { mostEntries } from './finding.ts'

/** A number of addresses, of which the first are kept as evidence. */
export interface Tally {
  readonly n: number
  readonly first: readonly string[]
}

export const emptyTally: Tally = { n: 0, first: [] }

/** The tally with one address more. */
export function tallied({ n, first }: Tally, address: string): Tally {
  return { n: n + 1, first: first.length < mostEntries ? [...first, address] : first }
}
