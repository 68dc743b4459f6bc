import { type Counts, changedPrompts, changedSources } from '../../core/alarms/discoveries.ts'
import type { Condition } from '../../core/alarms/kinds/rules.ts'
import type { DateRange } from '../../core/window.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { dayOf, readSources, readStrata, type Stratum } from './series.ts'

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

export interface SourceCounts extends Counts {
  readonly domain: string
}

export interface ChangedSources {
  readonly found: readonly SourceCounts[]
  readonly gone: readonly SourceCounts[]
}

/** What an alarm keeps of what it was about. */
export type AlarmEvidence = Partial<ChangedPrompts> &
  Partial<ChangedSources> &
  Partial<Pick<Condition, 'problem' | 'name' | 'detail'>>

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

/** The Sunday that a day is, or the one before it. */
export function sundayOf(day: string): string {
  // Day 0 was a Thursday, so that weeks end on numbers that leave 3 by 7.
  return dayOf(numberOf(day) - ((numberOf(day) + 4) % 7))
}

/** The two weeks up to a day, which are compared with the four before. */
export const weeksTo = (day: string): DateRange => ({
  from: dayOf(numberOf(day) - daysNow + 1),
  to: day,
})

/** The sources that the answers of the two weeks up to a day cite, and those of the four weeks before do not; and the reverse. */
export async function sourcesChangedTo(scope: ProjectScope, day: string): Promise<ChangedSources> {
  const { from: since, to } = weeksTo(day)
  const rows = await readSources(scope, { from: dayOf(numberOf(since) - daysBefore), since, to })
  const { found, gone } = changedSources(rows, rows[0]?.tested ?? 0)
  return { found: found.slice(0, mostListed), gone: gone.slice(0, mostListed) }
}

/** The prompts that changed in the two weeks up to a day, against the four before. */
export async function promptsChangedTo(scope: ProjectScope, day: string): Promise<ChangedPrompts> {
  const { from: since, to } = weeksTo(day)
  const rows = await readStrata(scope, { from: dayOf(numberOf(since) - daysBefore), to })
  return changedAt(rows, since, to)
}
