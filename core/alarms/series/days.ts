import { lagOne } from '../ranks.ts'

/** What one stratum, a prompt on a platform at a location asked in one way, adds to a day: Σy over n answers. */
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

const dayMs = 86_400_000
export const numberOf = (day: string) => Date.parse(day) / dayMs

/** Every 90 days, the newest 90 become the reference of the next 90. */
export const renewalDays = 90

/**
 * The first of the days that the state on a day depends on, at most 360 days before. Renewals are on fixed days, so that
 * a later recount gives the same alarms.
 */
export function watchedFrom(day: string): string {
  const renewal = Math.floor(numberOf(day) / renewalDays) - 3
  return new Date(renewal * renewalDays * dayMs).toISOString().slice(0, 10)
}

/** The index of the first day from a number of days since 1970 on. */
export function indexFrom(days: readonly Day[], from: number): number {
  const at = days.findIndex(({ day }) => numberOf(day) >= from)
  return at === -1 ? days.length : at
}

export function looksPerYear(reference: readonly Day[]): number {
  const [first, last] = [reference[0]?.day ?? '', reference.at(-1)?.day ?? '']
  return (365 * reference.length) / (numberOf(last) - numberOf(first) + 1)
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
        if (at === indexes.size) {
          indexes.set(stratum, at)
          totals.push({ n: 0, sum: 0 })
        }
        const total = totals[at]
        if (total) {
          total.n += n
          total.sum += sum
        }
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
const leastRegular = 2

/** On how many of the last days each stratum is, from one day to the next. */
function recently(days: readonly Day[]) {
  const counts = new Map<string, number>()
  return (at: number): ReadonlyMap<string, number> => {
    for (const stratum of days[at]?.cells.keys() ?? []) {
      counts.set(stratum, (counts.get(stratum) ?? 0) + 1)
    }
    for (const stratum of days[at - recentDays]?.cells.keys() ?? []) {
      const left = (counts.get(stratum) ?? 0) - 1
      if (left > 0) counts.set(stratum, left)
      else counts.delete(stratum)
    }
    return counts
  }
}

/**
 * The days that count, in stretches of one prompt set. A day with under 80 % of the usual strata does not count. A new
 * stretch begins where under 70 % of the strata are those of the stretch.
 * @param days in order
 */
export function stretchesOf(days: readonly Day[]): Day[][] {
  let stretch: Day[] = []
  const stretches = [stretch]
  const countsUpTo = recently(days)
  let strata: ReadonlySet<string> = new Set()
  let first = 0
  for (const [at, day] of days.entries()) {
    const counts = countsUpTo(at)
    let [usual, present, regular, shared] = [0, 0, 0, 0]
    for (const [stratum, count] of counts) {
      // Prompts that are asked in turn are each on few of the days, and those of a single run are on one.
      if (count >= leastRegular) {
        regular++
        if (strata.has(stratum)) shared++
      }
      if (2 * count >= Math.min(at + 1, recentDays)) {
        usual++
        if (day.cells.has(stratum)) present++
      }
    }
    const counted = present >= leastUsual * usual
    const isOther = strata.size > 0 && shared < leastShared * Math.max(strata.size, regular)
    if (counted && isOther) {
      stretch = []
      stretches.push(stretch)
      strata = new Set()
      first = at
    }
    if (strata.size === 0 && at + 1 >= first + recentDays) {
      const regulars = [...counts].filter(([, count]) => count >= leastRegular)
      strata = new Set(regulars.map(([stratum]) => stratum))
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

/** Days whose scores resemble the day before by more than this are merged, up to a week. */
const mostAlike = 0.3
const mostBlockDays = 7

/** Days that are one look, so that looks do not resemble each other. */
export function blockDaysOf(reference: readonly Day[]): number {
  for (let size = 1; size < mostBlockDays; size++) {
    const scored = scoring()
    for (const block of blocksOf(reference, size)) scored.add(block)
    if (lagOne(scored.scores()) <= mostAlike) return size
  }
  return mostBlockDays
}
