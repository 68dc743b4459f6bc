import { Temporal } from '@js-temporal/polyfill'
import type { DateRange } from './window.ts'

/** What a history has a row for. */
export const historyIntervals = ['day', 'week', 'month'] as const
export type HistoryInterval = (typeof historyIntervals)[number]

/** A day, week or month of a history. `from` and `to` are its days within the window. */
export interface Bucket extends DateRange {
  /** The first day: of a week its Monday, of a month its first. It may be before the window. */
  readonly date: string
  /** Whether the window covers only some of its days. */
  readonly isPartial: boolean
}

/** Weeks are those of ISO 8601. */
function startOf(day: Temporal.PlainDate, interval: HistoryInterval): Temporal.PlainDate {
  if (interval === 'day') return day
  return interval === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 })
}

const lengths = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }
const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string) => (a < b ? a : b)

const startOfDay = (date: string, interval: HistoryInterval) =>
  startOf(Temporal.PlainDate.from(date), interval).toString()

/** The bucket of a window that begins on a day. */
export function bucketOf(range: DateRange, interval: HistoryInterval, date: string): Bucket {
  const first = Temporal.PlainDate.from(date)
  const last = first.add(lengths[interval]).subtract({ days: 1 }).toString()
  const from = later(date, range.from)
  const to = earlier(last, range.to)
  return { date, from, to, isPartial: from !== date || to !== last }
}

/** Every bucket of the window in order. Series of counts fill their gaps with it. */
export function bucketsOf(range: DateRange, interval: HistoryInterval): Bucket[] {
  const buckets: Bucket[] = []
  let first = startOf(Temporal.PlainDate.from(range.from), interval)
  while (first.toString() <= range.to) {
    buckets.push(bucketOf(range, interval, first.toString()))
    first = first.add(lengths[interval])
  }
  return buckets
}

/** Every bucket of the window in order, with the counts of its days: counts add up, ratios do not. */
export function bucketed<Day extends { readonly date: string }>(
  range: DateRange,
  interval: HistoryInterval,
  days: readonly Day[],
): { readonly bucket: Bucket; readonly days: readonly Day[] }[] {
  const byStart = Map.groupBy(days, ({ date }) => startOfDay(date, interval))
  return bucketsOf(range, interval).map((bucket) => {
    return { bucket, days: byStart.get(bucket.date) ?? [] }
  })
}
