import { createHash } from 'node:crypto'
import { type DateRange, utcDayOf } from './window.ts'

/** When a feed of data is pulled, and which days. All days are of UTC. */

/** Google keeps rows for 16 months; Bing, for less. */
export const keptDays = 486

const dayMs = 86_400_000
const hourMs = 3_600_000

/** Google changes the numbers of the last days. */
const unsettledDays = 4

/** A backfill goes back by so many days at a time: after each, its progress is stored. */
const chunkDays = 28

/** What is loaded of a feed, as UTC days; null before the first pull. */
export interface Loaded {
  readonly firstDay: string
  readonly loadedFrom: string | null
  readonly loadedTo: string | null
}

const shift = (day: string, days: number) =>
  utcDayOf(new Date(new Date(`${day}T00:00Z`).getTime() + days * dayMs))

const later = (a: string, b: string) => (a > b ? a : b)

/**
 * The days that a feed reads next: first the newest ones, then back in time.
 * @param readTo the day to which this pull has read already; null for a pull that begins
 * @returns null where nothing is left
 */
export function nextDays(
  { firstDay, loadedFrom, loadedTo }: Loaded,
  readTo: string | null,
  now: Date,
): DateRange | null {
  const today = utcDayOf(now)
  if (readTo === null || loadedFrom === null) {
    const from =
      loadedTo === null
        ? shift(today, 1 - chunkDays)
        : [shift(loadedTo, 1), shift(today, 1 - unsettledDays)].sort()[0]
    return { from: later(from ?? today, firstDay), to: today }
  }
  if (loadedFrom <= firstDay) return null
  const to = shift(loadedFrom, -1)
  return { from: later(shift(to, 1 - chunkDays), firstDay), to }
}

/** Bing completes a week some days after its end. */
const unsettledWeeksDays = 28

/** The days that a feed of Bing reads next: all that Bing has, and from then on the last weeks again. */
export function nextBingDays({ firstDay, loadedTo }: Loaded, now: Date): DateRange {
  const from = loadedTo === null ? firstDay : shift(loadedTo, 1 - unsettledWeeksDays)
  return { from: later(from, firstDay), to: utcDayOf(now) }
}

/** The first day of the week that ends on a day. */
export const weekBegin = (last: string) => shift(last, -6)

/** A time of the next day from 5:00 to 8:00 UTC, the same for a feed each day: not all at once. */
export function nextPullAfter(feedId: string, now: Date): Date {
  const share = createHash('sha256').update(feedId).digest().readUInt32BE() / 2 ** 32
  const midnight = new Date(`${utcDayOf(now)}T00:00Z`).getTime()
  return new Date(midnight + dayMs + 5 * hourMs + Math.floor(share * 3 * hourMs))
}

const firstPauseMs = hourMs / 4
const longestPauseMs = 12 * hourMs

/** The pause before the next try, which doubles from a quarter of an hour to half a day. */
export const pauseMs = (failures: number) =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 20))
