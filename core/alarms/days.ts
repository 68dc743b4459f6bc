/** What one stratum, a prompt on a platform at a location, adds to a day: Σy over n answers. */
export interface Cell {
  readonly n: number
  readonly sum: number
}

export type Cells = ReadonlyMap<string, Cell>

/** One UTC day with answers. A series of one number a day is one stratum with n = 1. */
export interface Day {
  /** YYYY-MM-DD. Of merged days, the last. */
  readonly day: string
  readonly cells: Cells
  /** The score of these is subtracted: the control brands of the drift canary. */
  readonly control?: Cells
}

const none: Cells = new Map()

/** Days of the same strata, and what each stratum has in all of them. */
function tally() {
  const indexes = new Map<string, number>()
  const totals: { n: number; sum: number }[] = []
  const days: { n: number; sum: number; at: number[]; ns: number[] }[] = []
  return {
    add(cells: Cells) {
      const day = { n: 0, sum: 0, at: [] as number[], ns: [] as number[] }
      for (const [stratum, { n, sum }] of cells) {
        const at = indexes.get(stratum) ?? indexes.size
        indexes.set(stratum, at)
        const { n: count, sum: total } = totals[at] ?? { n: 0, sum: 0 }
        totals[at] = { n: count + n, sum: total + sum }
        day.n += n
        day.sum += sum
        day.at.push(at)
        day.ns.push(n)
      }
      days.push(day)
    },
    /** The score of a day by its index. */
    scorer() {
      const means = totals.map(({ n, sum }) => (n === 0 ? 0 : sum / n))
      return (index: number) => {
        const day = days[index]
        if (day === undefined || day.n === 0) return 0
        let expected = 0
        for (let i = 0; i < day.at.length; i++) {
          expected += (day.ns[i] ?? 0) * (means[day.at[i] ?? 0] ?? 0)
        }
        return (day.sum - expected) / day.n
      }
    },
  }
}

/**
 * Scores days against each other: the mean of what a day's answers differ from the means of their strata. The means are
 * recomputed from all days so far, all alike, because ranks are exact only where no score depends on the days' order.
 * @param sign -1 turns rises into falls
 */
export function scoring(sign: 1 | -1 = 1) {
  const [own, control] = [tally(), tally()]
  let count = 0
  return {
    add(day: Day) {
      own.add(day.cells)
      control.add(day.control ?? none)
      count++
    },
    /** Rounded, because sums of floats depend on the order: days that are alike stay so. */
    scores(): number[] {
      const [score, subtracted] = [own.scorer(), control.scorer()]
      return Array.from({ length: count }, (_, at) =>
        Math.round(sign * (score(at) - subtracted(at)) * 1e9),
      )
    },
  }
}

/** How many collected days say which strata are usual. */
const recentDays = 7
const leastUsual = 0.8
const leastShared = 0.7

function countsOf(days: readonly Day[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { cells } of days) {
    for (const stratum of cells.keys()) counts.set(stratum, (counts.get(stratum) ?? 0) + 1)
  }
  return counts
}

/**
 * The days that count, in stretches of one prompt set. A day with under 80 % of the usual strata does not count. A new
 * stretch begins where under 70 % of the strata are those of the stretch, and at each day of `begins`.
 * @param days in order
 */
export function stretchesOf(days: readonly Day[], begins: readonly string[] = []): Day[][] {
  let stretch: Day[] = []
  const stretches = [stretch]
  let strata: ReadonlySet<string> = new Set()
  let first = 0
  for (const [at, day] of days.entries()) {
    const recent = days.slice(Math.max(0, at + 1 - recentDays), at + 1)
    const counts = countsOf(recent)
    const isUsual = ([, count]: readonly [string, number]) => 2 * count >= recent.length
    // Prompts that are asked in turn are each on few of the days, and those of a single run are on one.
    const isRegular = ([, count]: readonly [string, number]) => count >= 2
    let [usual, present, regular, shared] = [0, 0, 0, 0]
    for (const entry of counts) {
      if (isUsual(entry)) usual++
      if (isUsual(entry) && day.cells.has(entry[0])) present++
      if (isRegular(entry)) regular++
      if (isRegular(entry) && strata.has(entry[0])) shared++
    }
    const counted = present >= leastUsual * usual
    const isOther = strata.size > 0 && shared < leastShared * Math.max(strata.size, regular)
    const previous = days[at - 1]?.day ?? day.day
    if ((counted && isOther) || begins.some((begin) => begin > previous && begin <= day.day)) {
      stretch = []
      stretches.push(stretch)
      strata = new Set()
      first = at
    }
    if (strata.size === 0 && at + 1 >= first + recentDays) {
      strata = new Set([...counts].filter(isRegular).map(([stratum]) => stratum))
    }
    if (counted) stretch.push(day)
  }
  return stretches
}

function mergedCells(days: readonly (Cells | undefined)[]): Cells {
  const cells = new Map<string, Cell>()
  for (const [stratum, { n, sum }] of days.flatMap((day) => [...(day ?? [])])) {
    const { n: count, sum: total } = cells.get(stratum) ?? { n: 0, sum: 0 }
    cells.set(stratum, { n: count + n, sum: total + sum })
  }
  return cells
}

/** Blocks of `size` days from the first on. Days that do not fill a block wait. */
export function blocksOf(days: readonly Day[], size: number): readonly Day[] {
  if (size === 1) return days
  return Array.from({ length: Math.floor(days.length / size) }, (_, at) => {
    const block = days.slice(at * size, (at + 1) * size)
    return {
      day: block.at(-1)?.day ?? '',
      cells: mergedCells(block.map(({ cells }) => cells)),
      control: mergedCells(block.map(({ control }) => control)),
    }
  })
}
