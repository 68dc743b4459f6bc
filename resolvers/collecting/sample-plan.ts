import { z } from 'zod'
import {
  answersFor,
  detectableChange,
  halfWidth,
  type PlannedSample,
  promptsFor,
  type Spreads,
} from '../../core/intervals/plan.ts'
import { roundFloat } from '../../core/metrics.ts'
import {
  type DateRange,
  daysOf,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { check } from '../shared/inputs.ts'
import { promptSums } from '../shared/samples/samples.sql.ts'
import { rowsOfCells, samplesOf } from '../shared/samples/samples.ts'
import type { ProjectScope } from '../shared/scope.ts'

const schedule = z.object({
  prompts: z.number().int().min(1).max(10_000).nullish(),
  platforms: z.number().int().min(1).max(100).nullish(),
  repetitions: z.number().int().min(1).max(20),
  runsPerWeek: z.number().gt(0).max(168),
  windowWeeks: z.number().int().min(1).max(52),
  points: z.number().min(0.1).max(50),
})

export interface SamplePlanArgs extends WindowArgs, FilterArgs {
  /** Default: the prompts that are tracked. */
  readonly prompts?: number | null | undefined
  /** Default: the platforms with answers in the window, at least 1. */
  readonly platforms?: number | null | undefined
  readonly repetitions: number
  readonly runsPerWeek: number
  /** The length of each of the two windows to compare. */
  readonly windowWeeks: number
  /** The change to detect, in percentage points. */
  readonly points: number
}

/** Where the spreads are from. `assumed`: too few answers were repeated. */
export type SpreadBasis = 'measured' | 'assumed'

export interface SamplePlan {
  readonly dateRange: DateRange
  readonly basis: SpreadBasis
  /** Standard deviations, in percentage points. */
  readonly withinPrompts: number
  readonly betweenPrompts: number
  readonly changesOfPrompts: number
  readonly prompts: number
  readonly platforms: number
  readonly answersPerPrompt: number
  readonly questionsPerWeek: number
  readonly detectablePoints: number | null
  readonly intervalPoints: number | null
  readonly target: SampleTarget
}

/** What would detect the change that was asked for; each alone, beside the rest of the plan. */
export interface SampleTarget {
  readonly points: number
  readonly prompts: number | null
  readonly answersPerPrompt: number | null
  readonly runsPerWeek: number | null
}

/** A brand in 3 of 10 answers, whose prompts explain 3 tenths of the variance. */
const assumed: Spreads = { within: 0.147, between: 0.063, drift: 0 }

interface Sums {
  readonly n: number
  readonly d: number
}

/** Both halves of a window; null for a single day. */
function halvesOf(range: DateRange): readonly [DateRange, DateRange] | null {
  const days = daysOf(range)
  const half = Math.floor(days.length / 2)
  const [last, next] = [days[half - 1], days[half]]
  if (last === undefined || next === undefined) return null
  return [
    { from: range.from, to: last },
    { from: next, to: range.to },
  ]
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The variance of the true changes of prompts between two windows: of their changes, without what the answers to one
 * prompt differ in. At least 0, and 0 for fewer than 5 prompts of both windows.
 */
function driftOf(pairs: readonly (readonly [Sums, Sums])[], within: number): number {
  if (pairs.length < 5) return 0
  const changes = pairs.map(([before, now]) => now.n / now.d - before.n / before.d)
  const mean = meanOf(changes)
  const squares = meanOf(changes.map((change) => (change - mean) ** 2))
  const noise = within * meanOf(pairs.map(([before, now]) => 1 / before.d + 1 / now.d))
  return Math.max(0, (squares * pairs.length) / (pairs.length - 1) - noise)
}

async function sumsOf(scope: ProjectScope, range: DateRange, filters: FilterArgs) {
  const [found] = await rowsOfCells<
    Sums & { projectId: string; cell: string; object: string; prompt: string }
  >(
    [{ scope, value: '', object: '' }],
    { ...filters, ...range, measure: 'named', by: 'window' },
    { id: 'sample-plan', sql: promptSums },
  )
  if (found instanceof Error) throw found
  return new Map(found?.base.map((row) => [row.prompt, row]))
}

/** The spreads in the answers of a window; null where too few prompts or no answers were repeated. */
async function measuredSpreads(
  scope: ProjectScope,
  range: DateRange,
  filters: FilterArgs,
): Promise<Spreads | null> {
  const cell = { scope, value: '', object: '' }
  const [sample] = await samplesOf([cell], { ...filters, ...range, measure: 'named', by: 'window' })
  if (sample instanceof Error) throw sample
  if (!sample?.ofStrata || sample.prompts < 5) return null
  const { a, b, prompts, ofPrompts, ofStrata } = sample
  const share = a / b
  const within = ofStrata.aa / b
  const squares = ofPrompts.aa - 2 * share * ofPrompts.ab + share ** 2 * ofPrompts.bb
  const observed = squares / (prompts - 1) / (b / prompts) ** 2
  const between = Math.max(0, observed - (within * prompts) / b)
  const halves = halvesOf(range)
  const sums = halves && (await Promise.all(halves.map((half) => sumsOf(scope, half, filters))))
  const [before, now] = sums ?? []
  const pairs = [...(before ?? [])].flatMap(([prompt, first]) => {
    const second = now?.get(prompt)
    return second && first.d > 0 && second.d > 0 ? [[first, second] as const] : []
  })
  // Answers that never differ within a prompt say nothing of the next ones.
  return within === 0 ? null : { within, between, drift: driftOf(pairs, within) }
}

async function platformsIn(db: Db, projectId: string): Promise<number> {
  const rows = await db.projectModel.groupBy({ by: ['platform'], where: { projectId } })
  return Math.max(1, rows.length)
}

const points = (share: number | null) => share && roundFloat(100 * share)

/**
 * What change of the visibility a schedule detects, by the spreads of the answers so far, and what would detect a given one.
 * @throws {Fault} `invalid_argument`
 */
export async function samplePlan(
  scope: ProjectScope,
  { repetitions, runsPerWeek, windowWeeks, points: target, ...args }: SamplePlanArgs,
): Promise<SamplePlan> {
  const { db, project } = scope
  const dateRange = resolveWindow(args, yearWindow, scope.now)
  const given = check(schedule, {
    prompts: args.prompts,
    platforms: args.platforms,
    repetitions,
    runsPerWeek,
    windowWeeks,
    points: target,
  })
  const prompts =
    given.prompts ?? (await db.prompt.count({ where: { projectId: project.id, isTracked: true } }))
  const platforms = given.platforms ?? (await platformsIn(db, project.id))
  const measured = await measuredSpreads(scope, dateRange, args)
  const spreads = measured ?? assumed
  const perRun = platforms * repetitions
  const answersPerPrompt = Math.max(1, Math.floor(perRun * runsPerWeek * windowWeeks))
  const sample: PlannedSample = { prompts, answersPerPrompt }
  const change = target / 100
  const answers = answersFor(change, prompts, spreads)
  return {
    dateRange,
    basis: measured ? 'measured' : 'assumed',
    withinPrompts: roundFloat(100 * Math.sqrt(spreads.within)),
    betweenPrompts: roundFloat(100 * Math.sqrt(spreads.between)),
    changesOfPrompts: roundFloat(100 * Math.sqrt(spreads.drift)),
    prompts,
    platforms,
    answersPerPrompt,
    questionsPerWeek: Math.ceil(prompts * perRun * runsPerWeek),
    detectablePoints: points(detectableChange(sample, spreads)),
    intervalPoints: points(halfWidth(sample, spreads)),
    target: {
      points: target,
      prompts: promptsFor(change, answersPerPrompt, spreads),
      answersPerPrompt: answers,
      runsPerWeek: answers && roundFloat(Math.ceil((answers / (perRun * windowWeeks)) * 100) / 100),
    },
  }
}
