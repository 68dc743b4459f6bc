import { betOn, rankOfLast, uniformOf } from './ranks.ts'
import {
  blockDaysOf,
  blocksOf,
  type Day,
  indexFrom,
  looksPerYear,
  numberOf,
  renewalDays,
  scoring,
  stretchesOf,
} from './series/days.ts'
import { type Ending, type Estimate, endingOf, estimateOf, fallsFrom } from './series/levels.ts'

/** Days that the first look is compared with, and after an alarm. */
const referenceDays = 28
const referenceDaysAfterAlarm = 14
/** Three days a week, of which seven days give an idea. */
const leastLooksPerYear = 156
const fewestDays = 7

export interface Monitor {
  readonly id: string
  readonly direction: 'fell' | 'rose'
  /** False alarms a year that it may raise. */
  readonly budget: number
}

/** A change that a detector found. */
export interface Change {
  /** The day on which it probably began, and the day whose answers showed it. */
  readonly since: string
  readonly openedOn: string
}

interface Found extends Change {
  readonly evidence: number
  readonly threshold: number
}

export interface FoundAlarm extends Found {
  readonly estimate: Estimate
  /** Null while it is open. */
  readonly ending: Ending | null
}

interface Watched {
  readonly state: 'watching' | 'fewDays' | 'tooSeldom'
  /** Evidence of an alarm; null where nothing is looked at. */
  readonly threshold: number | null
  readonly looks: readonly { readonly day: string; readonly evidence: number }[]
  /** What the first look is compared with. */
  readonly reference: { readonly from: string | null; readonly days: number }
  /** Days that are one look. */
  readonly blockDays: number
  readonly alarm?: Found
  /** A change in the other direction, which is the alarm of another monitor: the level before it says nothing of the days after it. */
  readonly turn?: Change
}

/** A Shiryaev–Roberts sum of bets, and where the largest product of bets that ends here begins: the change is not before it. */
function summing() {
  let [evidence, largest, change] = [0, 0, 0]
  return (at: number, bet: number) => {
    evidence = (evidence + 1) * bet
    if (largest < 1) change = at
    largest = Math.max(1, largest) * bet
    return { evidence, change }
  }
}

/**
 * Shiryaev–Roberts sums of bets on the ranks of the days after the reference, up to the first alarm. In N looks, at most
 * N ⁄ threshold false alarms are expected, at whatever look one stops.
 * @param least days of the reference
 * @see Shin, Ramdas & Rinaldo (2022), E-detectors, arXiv 2203.03532
 */
function watchOne(days: readonly Day[], least: number, monitor: Monitor): Watched {
  const known = days.slice(0, least)
  const reference = { from: known[0]?.day ?? null, days: known.length }
  const nothing = { threshold: null, looks: [], reference, blockDays: 1 }
  const perYear = looksPerYear(known)
  if (known.length >= fewestDays && perYear < leastLooksPerYear) {
    return { ...nothing, state: 'tooSeldom' }
  }
  if (known.length < least) return { ...nothing, state: 'fewDays' }
  const blockDays = blockDaysOf(known)
  const threshold = perYear / (blockDays * monitor.budget)
  const looks: { day: string; evidence: number }[] = []
  const watched: Watched = { state: 'watching', threshold, looks, reference, blockDays }
  const scored = scoring(monitor.direction === 'fell' ? 1 : -1)
  const [fall, rise] = [summing(), summing()]
  const startOf = (scores: readonly number[], change: number, day: string) =>
    days[fallsFrom(scores, change) * blockDays]?.day ?? day
  for (const [at, block] of blocksOf(days, blockDays).entries()) {
    scored.add(block)
    if (at * blockDays < least) continue
    const { day } = block
    const scores = scored.scores()
    const rank = rankOfLast(scores, uniformOf(monitor.id, day))
    const { evidence, change } = fall(at, betOn(rank))
    const turn = rise(at, betOn(1 - rank))
    looks.push({ day, evidence })
    if (evidence >= threshold) {
      const since = startOf(scores, change, day)
      return { ...watched, alarm: { since, openedOn: day, evidence, threshold } }
    }
    if (turn.evidence >= threshold) {
      const negated = scores.map((score) => -score)
      return { ...watched, turn: { since: startOf(negated, turn.change, day), openedOn: day } }
    }
  }
  return watched
}

/**
 * The alarms of a monitor, and where it stands on the last day.
 * @param days in order, from `watchedFrom` on
 */
export function watch(days: readonly Day[], monitor: Monitor) {
  const alarms: FoundAlarm[] = []
  let watched = watchOne([], referenceDays, monitor)
  const close = (ending: Ending) => {
    const last = alarms.at(-1)
    if (last && !last.ending) alarms[alarms.length - 1] = { ...last, ending }
  }
  for (const stretch of stretchesOf(days)) {
    const begun = stretch[0]?.day
    if (begun) close({ closedOn: begun, reason: 'method' })
    let least = referenceDays
    let rest: readonly Day[] = stretch
    for (;;) {
      const begun = Math.floor(numberOf(rest[0]?.day ?? '') / renewalDays)
      const end = indexFrom(rest, (begun + 2) * renewalDays)
      watched = watchOne(rest.slice(0, end), least, monitor)
      const { alarm, turn } = watched
      const change = alarm ?? turn
      if (alarm) {
        close({ closedOn: alarm.openedOn, reason: 'again' })
        alarms.push({ ...alarm, estimate: estimateOf(rest, alarm), ending: endingOf(rest, alarm) })
      }
      if (change) {
        const { since, openedOn } = change
        rest = rest.slice(indexFrom(rest, numberOf(since)))
        least = Math.max(referenceDaysAfterAlarm, indexFrom(rest, numberOf(openedOn)) + 1)
      } else if (end < rest.length) {
        const from = indexFrom(rest, (begun + 1) * renewalDays)
        rest = rest.slice(from)
        least = Math.max(referenceDays, end - from)
      } else break
    }
  }
  return { ...watched, alarms }
}
