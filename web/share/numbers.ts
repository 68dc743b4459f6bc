import type { ReportMetric, ReportTrend } from '../../core/reports/content.ts'
import { numbersIn } from '../../core/reports/shown.ts'
import { counted as countedIn } from '../../core/text/counted.ts'
import { daysText as daysIn } from '../../core/text/days.ts'
import type { DateRange } from '../../core/window.ts'
import { locale } from './locale.ts'

/** A number for readers, with one decimal. */
export const shown = numbersIn(locale)

/** The interval of a metric, such as "34.1% to 52.4%"; empty without one. */
export function interval({ low, high, unit }: Pick<ReportMetric, 'low' | 'high' | 'unit'>): string {
  return low === null || high === null ? '' : `${shown(low, unit)} to ${shown(high, unit)}`
}

export function count(value: number): string {
  return shown(value, 'count')
}

/** A count with its noun: "1 answer", "1,200 answers". */
export const counted = (value: number, noun: string): string => countedIn(value, noun, count)

const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const month = new Intl.DateTimeFormat(locale, {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** "1 Apr – 30 Apr 2025". */
export const daysText = (from: string | Date, to: string | Date): string => daysIn(from, to, locale)

/** "1 May 2025". */
export function dayText(day: string | Date): string {
  return longDay.format(new Date(day))
}

/** The name of a step of a trend: a day, the days of a week, or a month. */
export function stepText({ from, to }: DateRange, step: ReportTrend['step']): string {
  if (step === 'month') return month.format(new Date(from))
  const first = shortDay.format(new Date(from))
  return from === to ? first : `${first} \u2013 ${shortDay.format(new Date(to))}`
}
