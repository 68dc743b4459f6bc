import type { HistoryInterval } from '../../core/buckets.ts'

/**
 * The first day of the day, week or month that a row belongs to, as `bucketOf` counts them. An expression of `day` alone,
 * so the engine adds up its sums by day.
 */
export const bucketDay: Readonly<Record<HistoryInterval, string>> = {
  day: 'day',
  week: 'toMonday(day)',
  month: 'toStartOfMonth(day)',
}
