import { costOfObjects, type Part, type RowsOf, type Totals, totalsOf, weightOf } from './tree.ts'

/** The names from the root of a document to a part. */
export type Place = readonly string[]

/** A part at its first place in the document, and how often the lists above it make it count. */
export interface Placed {
  readonly part: Part
  readonly path: Place
  readonly times: number
}

/** All parts at all their places. */
function placesOf(parts: readonly Part[], rowsOf: RowsOf): Placed[] {
  const places: Placed[] = []
  const add = (all: readonly Part[], above: Place, times: number) => {
    for (const part of all) {
      const path = [...above, part.key]
      places.push({ part, path, times })
      add(part.below, path, times * rowsOf(part))
    }
  }
  add(parts, [], 1)
  return places
}

/** A page size that makes a document pass. */
export interface Cheaper {
  readonly path: Place
  readonly argument: string
  readonly value: number
  readonly cost: number
}

/** Numbers that a person would choose. */
const roundNumbers = [1, 2, 3, 5, 10, 20, 25, 50, 100, 200, 250, 500]

export interface Costing {
  readonly parts: readonly Part[]
  readonly rowsOf: RowsOf
  /** The cost of a document with these sums. */
  readonly costOf: (totals: Totals) => number
}

/**
 * The list that counts most, and the number of its rows with which the document costs no more than `most`; undefined where no
 * list can be short enough.
 */
export function cheaperBy({ parts, rowsOf, costOf }: Costing, most: number): Cheaper | undefined {
  const costWith = (list: Part, rows: number) =>
    costOf(totalsOf(parts, (part) => (part === list ? Math.min(rows, rowsOf(part)) : rowsOf(part))))
  const seen = new Set<Part>()
  const lists = placesOf(parts, rowsOf).filter(({ part }) => {
    if (seen.has(part)) return false
    seen.add(part)
    return part.charge.argument !== undefined && part.below.length > 0 && rowsOf(part) > 1
  })
  const found = lists
    .map((list) => ({ ...list, least: costWith(list.part, 1) }))
    .toSorted((a, b) => a.least - b.least)[0]
  if (!found || found.least > most) return undefined
  const { part, path } = found
  const value = roundNumbers.findLast((rows) => rows < rowsOf(part) && costWith(part, rows) <= most)
  if (value === undefined) return undefined
  return { path, argument: part.charge.argument ?? '', value, cost: costWith(part, value) }
}

/** A part of a document by what it costs, without its selection. */
export interface CostlyPart {
  readonly path: Place
  readonly cost: number
  /** How often it counts. */
  readonly times: number
}

const mostParts = 5

/** The parts that cost most, by the sum that the document is charged for. */
export function costliestOf(parts: readonly Part[], rowsOf: RowsOf): CostlyPart[] {
  const totals = totalsOf(parts, rowsOf)
  const isOfObjects = weightOf(totals) > Math.round(totals.cost)
  const ownOf = ({ part, times }: Placed) =>
    isOfObjects
      ? costOfObjects(part.charge.objects * times * rowsOf(part))
      : part.charge.own * times
  return placesOf(parts, rowsOf)
    .map((placed) => ({ path: placed.path, cost: ownOf(placed), times: placed.times }))
    .map(({ cost, ...part }) => ({ ...part, cost: Math.round(cost * 100) / 100 }))
    .filter(({ cost }) => cost > 0)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, mostParts)
}
