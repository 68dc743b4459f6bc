import { dataCollection as texts } from '../../texts/collecting.ts'

/** The time zone of the reader. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone of a project: that of its first active schedule, else the reader's. */
export function zoneOf(
  schedules: readonly { readonly enabled: boolean; readonly timeZone: string }[],
): string {
  const [first] = [...schedules.filter(({ enabled }) => enabled), ...schedules]
  return first?.timeZone ?? ownZone
}

/** Days of the week from 0 for Sunday, and hours, on which a schedule starts. */
export interface Times {
  readonly days: readonly number[]
  readonly hours: readonly number[]
}

const numbers = (text: string) => text.split(',').map(Number)
const daily = [0, 1, 2, 3, 4, 5, 6]

/** `1-5`, `0,6`, `1-3,5` or `*`; undefined for what no form can show. */
function daysIn(text: string): number[] | undefined {
  if (text === '*') return daily
  if (!/^\d(?:-\d)?(?:,\d(?:-\d)?)*$/.test(text)) return undefined
  const days = text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) % 7)
  })
  return [...new Set(days)].toSorted((a, b) => a - b)
}

/** The days and hours of a cron; undefined for one that says more than that. */
export function timesIn(cron: string): Times | undefined {
  const [, minute, hours = '', days = ''] = /^(\S+) (\S+) \* \* (\S+)$/.exec(cron.trim()) ?? []
  const found = daysIn(days)
  if (minute !== '0' || !found || !/^\d+(?:,\d+)*$/.test(hours)) return undefined
  return { days: found, hours: numbers(hours) }
}

/** The cron of days and hours. */
export function cronOf({ days, hours }: Times): string {
  const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b).join()
  return `0 ${sorted(hours)} * * ${days.length === daily.length ? '*' : sorted(days)}`
}

/** When a schedule starts, in words; the cron itself where there are none. */
export function timesText(cron: string, spreadMinutes: number): string {
  const times = timesIn(cron)
  if (times) return texts.onDays(times.days, times.hours, spreadMinutes)
  const [, step] = /^0 \*\/(\d+) \* \* \*$/.exec(cron) ?? []
  return step ? texts.everyHours(Number(step)) : cron
}
