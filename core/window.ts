import { Temporal } from '@js-temporal/polyfill'
import { invalid } from './errors.ts'
import { quoted } from './rule-text.ts'

/** UTC calendar days, both inclusive, `YYYY-MM-DD`. */
export interface DateRange {
  readonly from: string
  readonly to: string
}

/** Windows by name. All end today, except `last_month`. */
export const windowPresets = [
  'last_7_days',
  'last_28_days',
  'last_90_days',
  'month_to_date',
  'last_month',
  'year_to_date',
] as const
export type WindowPreset = (typeof windowPresets)[number]

export interface WindowArgs {
  days?: number | null | undefined
  weeks?: number | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  preset?: WindowPreset | null | undefined
}

export interface WindowRule {
  readonly defaultDays: number
  readonly maxDays: number
}

/** The window of most reports: 30 days by default, 365 at most. */
export const yearWindow: WindowRule = { defaultDays: 30, maxDays: 365 }

// Temporal also accepts a zone in brackets, whose offset it ignores, and other calendars.
const dateOrTimestamp =
  /^\d{4}-\d{2}-\d{2}(?:[Tt ][\d:.,]+(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

// The warehouse stores days from 1970 to 2148. The window before the first one must fit too.
const firstYear = 1980
const lastYear = 2147

/** The UTC day of a moment, `YYYY-MM-DD`. */
export const utcDayOf = (at: Date): string => at.toISOString().slice(0, 'YYYY-MM-DD'.length)

function parseDay(text: string): Temporal.PlainDate {
  const match = dateOrTimestamp.exec(text)
  if (match === null) throw new RangeError('neither a date nor a timestamp')
  return match.groups?.offset === undefined
    ? Temporal.PlainDate.from(text)
    : Temporal.Instant.from(text).toZonedDateTimeISO('UTC').toPlainDate()
}

/** A date, or an ISO timestamp widened to its UTC day; without an offset it is UTC. */
function dayOf(field: string, text: string): Temporal.PlainDate {
  let day: Temporal.PlainDate
  try {
    day = parseDay(text)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw invalid(field, 'must be a calendar date (YYYY-MM-DD) or an ISO 8601 timestamp', text)
  }
  if (day.year < firstYear || day.year > lastYear) {
    throw invalid(field, `must be a day of the years ${firstYear} to ${lastYear}`, text)
  }
  return day
}

/** The number of days of a range, both ends included. */
export function lengthOf(range: DateRange): number {
  const from = Temporal.PlainDate.from(range.from)
  return from.until(Temporal.PlainDate.from(range.to), { largestUnit: 'day' }).days + 1
}

function endingOn(last: Temporal.PlainDate, days: number): DateRange {
  return { from: last.subtract({ days: days - 1 }).toString(), to: last.toString() }
}

/**
 * The window between two days, both ends included. It may end after today, as a calendar month does, but not begin there.
 * @param names the names of the two arguments
 * @throws {Fault} `invalid_argument`
 */
export function explicitWindow(
  from: string,
  to: string,
  rule: WindowRule,
  now: Date,
  names: readonly [from: string, to: string] = ['from', 'to'],
): DateRange {
  const [fromName, toName] = names
  const first = dayOf(fromName, from)
  const last = dayOf(toName, to)
  if (Temporal.PlainDate.compare(first, last) > 0) {
    throw invalid(fromName, `must not be after \`${toName}\`, ${quoted(to)}`, from)
  }
  // Where the sun rises first, today begins 14 hours before the UTC day does.
  const latest = Temporal.PlainDate.from(utcDayOf(now)).add({ days: 1 })
  if (Temporal.PlainDate.compare(first, latest) > 0) {
    throw invalid(fromName, `must not be after today, ${quoted(utcDayOf(now))} in UTC`, from)
  }
  const range = { from: first.toString(), to: last.toString() }
  const days = lengthOf(range)
  if (days > rule.maxDays) {
    throw invalid(
      fromName,
      `begins a range of ${days} days; accepted are at most ${rule.maxDays} days, both ends included`,
    )
  }
  return range
}

function presetWindow(preset: WindowPreset, today: Temporal.PlainDate): DateRange {
  const monthStart = today.with({ day: 1 })
  switch (preset) {
    case 'last_7_days':
      return endingOn(today, 7)
    case 'last_28_days':
      return endingOn(today, 28)
    case 'last_90_days':
      return endingOn(today, 90)
    case 'month_to_date':
      return { from: monthStart.toString(), to: today.toString() }
    case 'last_month':
      return {
        from: monthStart.subtract({ months: 1 }).toString(),
        to: monthStart.subtract({ days: 1 }).toString(),
      }
    case 'year_to_date':
      return { from: today.with({ month: 1, day: 1 }).toString(), to: today.toString() }
  }
}

/**
 * Resolves `days`, `weeks`, `from`, `to` and `preset` into a window. A lookback over the maximum is clamped; an explicit
 * range over the maximum is refused.
 * @throws {Fault} `invalid_argument`
 * @see the contract, "Conventions shared by endpoints"
 */
export function resolveWindow(args: WindowArgs, rule: WindowRule, now: Date): DateRange {
  const { days, weeks, from, to, preset } = args
  const today = Temporal.PlainDate.from(utcDayOf(now))
  if (preset != null) {
    if (days != null || from != null || to != null) {
      throw invalid('preset', 'cannot be combined with `days`, `from` or `to`')
    }
    const range = presetWindow(preset, today)
    return explicitWindow(range.from, range.to, rule, now)
  }
  const lookback = days ?? (weeks == null ? null : weeks * 7)
  if (from != null || to != null) {
    if (lookback != null) {
      throw invalid(days == null ? 'weeks' : 'days', 'cannot be combined with `from` and `to`')
    }
    if (from == null) throw invalid('from', 'is required together with `to`')
    if (to == null) throw invalid('to', 'is required together with `from`')
    return explicitWindow(from, to, rule, now)
  }
  return endingOn(today, Math.min(lookback ?? rule.defaultDays, rule.maxDays))
}

/** The last days of a range that is longer than a report takes; else the range. */
export function lastDaysOf(range: DateRange, maxDays: number): DateRange {
  if (lengthOf(range) <= maxDays) return range
  return endingOn(Temporal.PlainDate.from(range.to), maxDays)
}

const quarterDays = 92

/** The quarters of a year that a window begins, from 1 to 4; 1 for a window that a report would refuse. */
export function quartersOf(window: WindowArgs): number {
  try {
    const { maxDays } = yearWindow
    const days = window.days ?? lengthOf(resolveWindow(window, yearWindow, new Date()))
    return Math.max(Math.ceil(Math.min(days, maxDays) / quarterDays), 1)
  } catch {
    return 1
  }
}

/** The window of equal length just before. */
export function previousWindow(range: DateRange): DateRange {
  const last = Temporal.PlainDate.from(range.from).subtract({ days: 1 })
  return endingOn(last, lengthOf(range))
}

export const comparisons = ['previous_period', 'previous_year'] as const
export type Comparison = (typeof comparisons)[number]

/** The same dates a year before; 29 February becomes 28. */
function yearBefore(range: DateRange): DateRange {
  const shift = (day: string) => Temporal.PlainDate.from(day).subtract({ years: 1 }).toString()
  return { from: shift(range.from), to: shift(range.to) }
}

/** The window that `compare` compares with. */
export function comparedWindow(range: DateRange, mode: Comparison): DateRange {
  return mode === 'previous_period' ? previousWindow(range) : yearBefore(range)
}

/** Every day of the range in order. Count series fill their gaps with it. */
export function daysOf(range: DateRange): string[] {
  const first = Temporal.PlainDate.from(range.from)
  return Array.from({ length: lengthOf(range) }, (_, i) => first.add({ days: i }).toString())
}
