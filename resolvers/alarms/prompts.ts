import { type Counts, changedPrompts } from '../../core/alarms/prompts.ts'
import type { Facts } from './monitors.ts'
import { dayOf, type Stratum } from './series.ts'

/** Days of answers that are compared: whole weeks, so that each has every weekday as often. */
const daysBefore = 28
const daysNow = 14
/** Of those lost, and of those won: the surest ones. */
const mostListed = 50
const dayMs = 86_400_000
const numberOf = (day: string) => Date.parse(day) / dayMs

export interface PromptCounts extends Counts {
  readonly promptId: string
}

export interface ChangedPrompts {
  readonly lost: readonly PromptCounts[]
  readonly won: readonly PromptCounts[]
}

interface Windows {
  /** Numbers of days since 1970: the earlier days end before `from`, and both ends are included. */
  readonly begin: number
  readonly from: number
  readonly to: number
}

function countsOf(rows: readonly Stratum[], { begin, from, to }: Windows): PromptCounts[] {
  const counts = new Map<string, PromptCounts>()
  for (const { promptId, days, answers, own } of rows) {
    let { before, ofBefore, now, ofNow } = counts.get(promptId) ?? {
      before: 0,
      ofBefore: 0,
      now: 0,
      ofNow: 0,
    }
    for (const [at, day] of days.entries()) {
      const [k, n] = [own[at] ?? 0, answers[at] ?? 0]
      if (day >= begin && day < from) [before, ofBefore] = [before + k, ofBefore + n]
      else if (day >= from && day <= to) [now, ofNow] = [now + k, ofNow + n]
    }
    counts.set(promptId, { promptId, before, ofBefore, now, ofNow })
  }
  return [...counts.values()]
}

/** The prompts whose share of answers with the brand changed at a day, by the 28 days before it. */
export function changedAt(rows: readonly Stratum[], since: string, to: string): ChangedPrompts {
  const from = numberOf(since)
  const counts = countsOf(rows, { begin: from - daysBefore, from, to: numberOf(to) })
  const { lost, won } = changedPrompts(counts)
  return { lost: lost.slice(0, mostListed), won: won.slice(0, mostListed) }
}

/** The newest whole week, and what changed in its two weeks against the four before. */
export function changedOfWeek({ rows, to }: Facts) {
  // Day 0 was a Thursday, so that weeks end on numbers that leave 3 by 7.
  const last = numberOf(to) - ((numberOf(to) + 4) % 7)
  const [since, sunday] = [dayOf(last - daysNow + 1), dayOf(last)]
  return { since, openedOn: sunday, ...changedAt(rows, since, sunday) }
}
