import { blocksOf, type Day, scoring, stretchesOf } from './days.ts'
import { type Ending, type Estimate, endingOf, estimateOf, fallsFrom } from './levels.ts'
import { betOn, lagOne, rankOfLast, uniformOf } from './ranks.ts'

/** Days that the first look is compared with, and after an alarm. */
const referenceDays = 28
const referenceDaysAfterAlarm = 14
/** Every 90 days, the newest 90 become the reference of the next 90. */
const renewalDays = 90
/** Three days a week, of which seven days give an idea. */
const leastLooksPerYear = 156
const fewestDays = 7
/** Days whose scores resemble the day before by more than this are merged, up to a week. */
const mostAlike = 0.3
const mostBlockDays = 7

export interface Monitor {
  readonly id: string
  readonly direction: 'fell' | 'rose'
  /** False alarms a year that it may raise. */
  readonly budget: number
  /** Days of a new provider, or of rules that stored answers were not analysed with: references start again there. */
  readonly begins?: readonly string[]
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
}

const dayMs = 86_400_000
const numberOf = (day: string) => Date.parse(day) / dayMs

/**
 * The first of the days that the state on a day depends on, at most 360 days before. Renewals are on fixed days, so that
 * a later recount gives the same alarms.
 */
export function watchedFrom(day: string): string {
  const renewal = Math.floor(numberOf(day) / renewalDays) - 3
  return new Date(renewal * renewalDays * dayMs).toISOString().slice(0, 10)
}

function looksPerYear(reference: readonly Day[]): number {
  const [first, last] = [reference[0]?.day ?? '', reference.at(-1)?.day ?? '']
  return (365 * reference.length) / (numberOf(last) - numberOf(first) + 1)
}

function blockDaysOf(reference: readonly Day[]): number {
  for (let size = 1; size < mostBlockDays; size++) {
    const scored = scoring()
    for (const block of blocksOf(reference, size)) scored.add(block)
    if (lagOne(scored.scores()) <= mostAlike) return size
  }
  return mostBlockDays
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
  let evidence = 0
  // The largest product of bets that ends here, and the block where it begins: the change is not before it.
  let largest = 0
  let change = 0
  for (const [at, block] of blocksOf(days, blockDays).entries()) {
    scored.add(block)
    if (at * blockDays < least) continue
    const bet = betOn(rankOfLast(scored.scores(), uniformOf(monitor.id, block.day)))
    evidence = (evidence + 1) * bet
    if (largest < 1) change = at
    largest = Math.max(1, largest) * bet
    looks.push({ day: block.day, evidence })
    if (evidence < threshold) continue
    const since = days[fallsFrom(scored.scores(), change) * blockDays]?.day ?? block.day
    return { ...watched, alarm: { since, openedOn: block.day, evidence, threshold } }
  }
  return watched
}

function indexFrom(days: readonly Day[], from: number): number {
  const at = days.findIndex(({ day }) => numberOf(day) >= from)
  return at === -1 ? days.length : at
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
  for (const stretch of stretchesOf(days, monitor.begins)) {
    const begun = stretch[0]?.day
    if (begun) close({ closedOn: begun, reason: 'method' })
    let least = referenceDays
    let rest: readonly Day[] = stretch
    for (;;) {
      const begun = Math.floor(numberOf(rest[0]?.day ?? '') / renewalDays)
      const end = indexFrom(rest, (begun + 2) * renewalDays)
      watched = watchOne(rest.slice(0, end), least, monitor)
      if (watched.alarm) {
        const { since, openedOn } = watched.alarm
        close({ closedOn: openedOn, reason: 'again' })
        const estimate = estimateOf(rest, watched.alarm)
        alarms.push({ ...watched.alarm, estimate, ending: endingOf(rest, watched.alarm) })
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
