import type { HistoryInterval, Window } from '../documents.ts'
import { dayMs } from '../parts/days.ts'

const mostDays = 45
const mostWeekDays = 400

/** The number of days of a window. */
function daysIn({ days, from, to }: Window): number {
  if (from && to) return (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return days ?? 30
}

/** How finely a chart of the window is drawn: days up to six weeks, then weeks, then months. */
export function intervalOf(window: Window): HistoryInterval {
  const days = daysIn(window)
  if (days <= mostDays) return 'day'
  return days <= mostWeekDays ? 'week' : 'month'
}

/** The same for what a day has too little of. */
export function weeksOf(window: Window): 'week' | 'month' {
  return daysIn(window) <= mostWeekDays ? 'week' : 'month'
}

interface Range {
  readonly from: string
  readonly to: string
}

const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The first day of the day, week or month of a day, as the rows of a history have it. */
function startOf(day: string, interval: HistoryInterval): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`
  const ms = Date.parse(day)
  // Monday is the first day of a week of ISO 8601.
  return interval === 'day' ? day : textOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs)
}

function nextOf(start: string, interval: HistoryInterval): string {
  if (interval !== 'month') return textOf(Date.parse(start) + (interval === 'day' ? 1 : 7) * dayMs)
  return startOf(textOf(Date.parse(start) + 31 * dayMs), 'month')
}

/** The first days of all days, weeks or months of a range: a history leaves out those without answers. */
export function stepsOf({ from, to }: Range, interval: HistoryInterval): readonly string[] {
  const steps: string[] = []
  for (let start = startOf(from, interval); start <= to; start = nextOf(start, interval)) {
    steps.push(start)
  }
  return steps
}

/** The days of a step within its range. */
export function daysOfStep(start: string, { from, to }: Range, interval: HistoryInterval): Range {
  const last = textOf(Date.parse(nextOf(start, interval)) - dayMs)
  return { from: start < from ? from : start, to: last > to ? to : last }
}
