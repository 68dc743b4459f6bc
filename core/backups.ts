/** How many of the newest days, weeks and months keep a backup. */
export interface KeepRule {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

/** Without another one. */
export const usualKeepRule: KeepRule = { days: 7, weeks: 4, months: 12 }

/** The rule of a text such as `7,4,12`; null for another text, and for one that keeps no daily backup. */
export function keepRuleOf(text: string): KeepRule | null {
  const found = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(text)
  const [days = 0, weeks = 0, months = 0] = found?.slice(1).map(Number) ?? []
  return days > 0 ? { days, weeks, months } : null
}

const dayMs = 86_400_000

/** The Monday of a week, of which the epoch was the fourth day. */
const weekOf = (at: Date) => Math.floor((at.getTime() / dayMs + 3) / 7)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const monthOf = (at: Date) => at.toISOString().slice(0, 7)

/**
 * The times of the backups that a rule keeps: the newest of each of the newest days, weeks and months (UTC) that have one.
 * Days without a backup count for nothing, so a service that was off loses none.
 */
export function keptBackups(times: readonly Date[], { days, weeks, months }: KeepRule): Set<Date> {
  const newestFirst = times.toSorted((a, b) => b.getTime() - a.getTime())
  const newestOf = (periodOf: (at: Date) => string | number, most: number) => {
    const found = new Map<string | number, Date>()
    for (const at of newestFirst) {
      if (!found.has(periodOf(at))) found.set(periodOf(at), at)
    }
    return [...found.values()].slice(0, most)
  }
  return new Set([
    ...newestOf(dayOf, days),
    ...newestOf(weekOf, weeks),
    ...newestOf(monthOf, months),
  ])
}

const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/

/** The name of a backup by its time: `2026-11-29T07-15-00Z`. */
export const backupName = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** The time of a name that `backupName` gave; null for another one. */
export function backupTime(name: string): Date | null {
  const at = new Date(name.replace(pattern, '$1T$2:$3:$4Z'))
  return pattern.test(name) && !Number.isNaN(at.getTime()) ? at : null
}
