import { isSignificant } from '../../core/intervals/paired.ts'
import { changeOf, leadingPrompts, rateOf, type Tally } from '../../core/investigate/drivers.ts'
import { intervalOfChange } from '../../core/investigate/interval.ts'
import { average } from '../../core/metrics.ts'
import {
  type DateRange,
  previousWindow,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import type { FilterArgs } from '../shared/filters.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type Counted, countMany, type InvestigatedBy, raterOf } from './counted.ts'
import { driversOfMany } from './drivers.ts'
import { readEvidence } from './evidence.ts'

export interface InvestigateArgs extends WindowArgs, FilterArgs, InvestigatedBy {}

const mostEvidentPrompts = 5

/**
 * The change of a metric against the window of equal length just before, and the parts of the answers that made it.
 * Several projects take one statement. Names and excerpts are read when a field asks for them.
 * @returns a report per project, in order; the error of a project whose filters fail
 */
export async function investigations(scopes: readonly ProjectScope[], args: InvestigateArgs) {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const previous = previousWindow(range)
  const counted = await countMany(scopes, args, { range, previous })
  const driversOf = driversOfMany(first.db, counted)
  return counted.map((of) =>
    of instanceof Error
      ? of
      : {
          ...outcomeOf(of),
          method: raterOf(args, of.scope),
          drivers: () => driversOf(of),
          evidence: () => evidenceOf(of, args, range),
          dateRange: range,
          previousRange: previous,
        },
  )
}

export type Investigation = Exclude<Awaited<ReturnType<typeof investigations>>[number], Error>

function outcomeOf({ scope, measure, parts }: Counted) {
  const { metric, whole, unit } = measure
  const valueOfWindow = (tally: Tally) =>
    metric === 'citations' ? average(Number(tally.n), 1) : rateOf(tally, unit, metric)
  const change = changeOf(measure)
  const interval = change && intervalOfChange(measure, parts.prompt)
  return {
    scope,
    metric,
    current: valueOfWindow(whole.now),
    previous: valueOfWindow(whole.before),
    change,
    interval,
    isSignificant: isSignificant(interval),
  }
}

/** Answers of the prompts that moved the metric most in the direction of its change. */
async function evidenceOf(
  { scope, measure, parts }: Counted,
  args: InvestigateArgs,
  range: DateRange,
) {
  const change = changeOf(measure)
  if (change === null || change.numerator === 0n) return []
  const direction = change.numerator > 0n ? 1 : -1
  const promptIds = leadingPrompts(measure, parts.prompt, direction, mostEvidentPrompts)
  return readEvidence(scope, args, { range, promptIds, counts: direction === 1 })
}
