import { studentT } from '../../intervals/student-t.ts'
import { type Day, scoring } from './days.ts'

/** The level of a series before and after a change. */
export interface Estimate {
  readonly before: number
  readonly after: number
  /** The 95 % interval of `after`, where `before` is as counted: days are the sample. */
  readonly low: number
  readonly high: number
}

/** Why an alarm is over: the level is back, has lasted so long that it is the usual one, fell again, or days are measured in another way. */
export const endings = ['recovered', 'settled', 'again', 'method'] as const

export interface Ending {
  readonly closedOn: string
  readonly reason: (typeof endings)[number]
}

/** Counted days that say whether the level is back, and after which the new one is the usual one. */
const recoveryDays = 14
const settledDays = 28

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const meanOf = (values: readonly number[]) => (values.length ? sumOf(values) / values.length : 0)
const squaresOf = (values: readonly number[]) => {
  const mean = meanOf(values)
  return sumOf(values.map((value) => (value - mean) ** 2))
}

/**
 * Where scores fall: the index, from `first` on, whose two sides differ most for their lengths. By least squares, because
 * one low score before the change makes the largest product of bets begin too early.
 */
export function fallsFrom(scores: readonly number[], first: number): number {
  const total = sumOf(scores)
  let [before, largest, from] = [0, Number.NEGATIVE_INFINITY, first]
  for (const [at, score] of scores.entries()) {
    if (at >= Math.max(first, 1)) {
      const rest = scores.length - at
      const drop = before / at - (total - before) / rest
      const gain = drop * Math.abs(drop) * ((at * rest) / scores.length)
      if (gain > largest) [largest, from] = [gain, at]
    }
    before += score
  }
  return from
}

const scoresOf = (days: readonly Day[]) => {
  const scored = scoring()
  for (const day of days) scored.add(day)
  return scored.scores().map((score) => score / 1e9)
}

const indexOf = (days: readonly Day[], day: string) => days.findIndex((it) => it.day >= day)

/** The level before a change and from it to its alarm. `days` begin with the reference. */
export function estimateOf(
  days: readonly Day[],
  { since, openedOn }: { readonly since: string; readonly openedOn: string },
): Estimate {
  const until = days.filter(({ day }) => day <= openedOn)
  const from = indexOf(until, since)
  const scores = scoresOf(until)
  const [earlier, later] = [scores.slice(0, from), scores.slice(from)]
  const cells = until.slice(0, from).flatMap((day) => [...day.cells.values()])
  const before = sumOf(cells.map(({ sum }) => sum)) / (sumOf(cells.map(({ n }) => n)) || 1)
  const after = before + meanOf(later) - meanOf(earlier)
  const degrees = Math.max(1, scores.length - 2)
  const variance = (squaresOf(earlier) + squaresOf(later)) / degrees
  const error = Math.sqrt(variance * (1 / earlier.length + 1 / later.length))
  const half = studentT(0.95, degrees) * error
  return { before, after, low: after - half, high: after + half }
}

/** When an alarm is over, by the days up to the last one; null while it is open. */
export function endingOf(
  days: readonly Day[],
  { since, openedOn }: { readonly since: string; readonly openedOn: string },
): Ending | null {
  const [from, opened] = [indexOf(days, since), indexOf(days, openedOn)]
  for (let at = opened + recoveryDays; at < days.length; at++) {
    const closedOn = days[at]?.day ?? ''
    const scores = scoresOf(days.slice(0, at + 1))
    const [before, after] = [scores.slice(0, from), scores.slice(from, opened + 1)].map(meanOf)
    const now = meanOf(scores.slice(-recoveryDays))
    if (Math.abs(now - (before ?? 0)) < Math.abs(now - (after ?? 0))) {
      return { closedOn, reason: 'recovered' }
    }
    if (at === opened + settledDays) return { closedOn, reason: 'settled' }
  }
  return null
}

const pooled = (cells: Day['cells'] | undefined) => {
  const all = [...(cells?.values() ?? [])]
  const n = sumOf(all.map((cell) => cell.n))
  return n === 0 ? null : sumOf(all.map(({ sum }) => sum)) / n
}

/** The level of a day as it was counted; null without what is counted. */
export function levelOfDay({ cells, control }: Day): number | null {
  const level = pooled(cells)
  return level === null ? null : level - (pooled(control) ?? 0)
}

/** Where nineteen of twenty days lie that are like those of the reference: mean and spread of its days. */
export function bandOf(
  days: readonly Day[],
  { from, days: count }: { readonly from: string | null; readonly days: number },
): { readonly low: number; readonly high: number } | null {
  if (from === null || count < 7) return null
  const known = days.filter(({ day }) => day >= from).slice(0, count)
  const levels = known.flatMap((day) => levelOfDay(day) ?? [])
  if (levels.length < 7) return null
  const degrees = levels.length - 1
  const half =
    studentT(0.95, degrees) * Math.sqrt((squaresOf(levels) / degrees) * (1 + 1 / levels.length))
  return { low: meanOf(levels) - half, high: meanOf(levels) + half }
}
