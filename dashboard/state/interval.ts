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
