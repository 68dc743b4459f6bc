import { hash } from 'node:crypto'
import { Cron } from 'croner'

/** When a schedule is due. */
export interface DueTerms {
  /** Decides the offset. */
  readonly id: string
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string
  /** IANA name. */
  readonly timeZone: string
  /** Bound of the offset. */
  readonly spreadMinutes: number
}

const minuteMs = 60_000
const monthMs = 30 * 24 * 60 * minuteMs
/** Times that are counted one by one: more have the same pace. */
const mostCounted = 300

const opened = ({ cron, timeZone }: Pick<DueTerms, 'cron' | 'timeZone'>) =>
  new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true })

/** Whole minutes after each time of the cron, the same for each time: schedules of one cron do not begin at once. */
function offsetMs({ id, spreadMinutes }: DueTerms): number {
  if (spreadMinutes < 1) return 0
  return (Number.parseInt(hash('sha256', id, 'hex').slice(0, 8), 16) % spreadMinutes) * minuteMs
}

/** Whether Intl, which knows the zones, knows this one. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** Why a text is no cron of five fields that has a time to come; null for one that is. */
export function cronFlaw(cron: string, now: Date): string | null {
  if (cron.trim().split(/\s+/).length !== 5) return 'must have five fields, such as `0 6 * * *`'
  try {
    if (opened({ cron, timeZone: 'UTC' }).nextRun(now)) return null
    return 'has no time to come'
  } catch {
    return 'must be a cron of five fields, such as `0 6 * * *`'
  }
}

/** The first time after `after`; null where there is none. */
export function nextDue(terms: DueTerms, after: Date): Date | null {
  const offset = offsetMs(terms)
  const next = opened(terms).nextRun(new Date(after.getTime() - offset))
  return next && new Date(next.getTime() + offset)
}

/** How many times are due in the 30 days after `from`. */
export function dueInMonth(terms: DueTerms, from: Date): number {
  const cron = opened(terms)
  const end = from.getTime() + monthMs
  let at = cron.nextRun(from)
  for (let count = 0; ; count++) {
    if (!at || at.getTime() > end) return count
    if (count === mostCounted) {
      return Math.round((count * monthMs) / (at.getTime() - from.getTime()))
    }
    at = cron.nextRun(at)
  }
}
