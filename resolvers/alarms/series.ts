import type { Requests } from '../../core/alarms/kinds/rules.ts'
import type { Cell, Day } from '../../core/alarms/series/days.ts'
import { toneThreshold } from '../../core/text/sentiment.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { collectedLoads, type Filters } from '../shared/filters.ts'
import { ownRatings } from '../shared/judged.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { factsByDay, refusedRequests, sourcesByWindow, strataByDay } from './series.sql.ts'

const noFilters: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

type Counts = Record<
  'answers' | 'own' | 'control' | 'citing' | 'rated' | 'net' | 'occurrences' | 'ownOccurrences',
  readonly number[]
>

/** One stratum, a prompt on a platform at a location, of runs or imported: numbers of days since 1970, and counts on each of them. */
export interface Stratum extends Counts {
  readonly stratum: string
  readonly promptId: string
  readonly platform: string
  readonly days: readonly number[]
  /** Of each competitor, in their order. */
  readonly rivals: readonly (readonly number[])[]
}

/** What the statements of strata ask with. */
async function strataParts(scope: ProjectScope, range: DateRange) {
  const { db, project } = scope
  const snapshot = currentSnapshot(scope)
  const { isJudged, params } = ownRatings([scope])
  return {
    facts: factsWhere(noFilters, snapshot),
    isJudged,
    params: {
      ...factParams(project.id, range, noFilters, snapshot),
      ...params,
      collected: (await collectedLoads(db, [project.id])).map(({ load }) => load),
      analysis: project.analysis,
      ownDomains: brandDomains(project),
      competitors: project.competitors.map(({ id }) => id),
      tone: toneThreshold,
    },
  }
}

/** The counts of all strata in some days. */
export async function readStrata(scope: ProjectScope, range: DateRange): Promise<Stratum[]> {
  const { facts, isJudged, params } = await strataParts(scope, range)
  const sql = strataByDay(facts, isJudged)
  return run<Stratum>(scope.warehouse, { id: 'alarms.strata', sql, params })
}

export interface TrafficDay {
  readonly day: number
  readonly crawls: number
  readonly referrals: number
}

/** The counts of all strata, and the traffic of the site, in some days. */
export async function readSeries(
  scope: ProjectScope,
  range: DateRange,
): Promise<{ readonly rows: Stratum[]; readonly traffic: TrafficDay[] }> {
  const { facts, isJudged, params } = await strataParts(scope, range)
  const found = await run<Stratum & Record<'crawls' | 'referrals', readonly number[]>>(
    scope.warehouse,
    { id: 'alarms.series', sql: factsByDay(facts, isJudged), params },
  )
  return {
    rows: found.filter(({ stratum }) => stratum !== ''),
    traffic: found.flatMap(({ stratum, days, crawls, referrals }) =>
      stratum === ''
        ? days.map((day, at) => ({ day, crawls: crawls[at] ?? 0, referrals: referrals[at] ?? 0 }))
        : [],
    ),
  }
}

export interface SourceRow {
  readonly domain: string
  readonly before: number
  readonly ofBefore: number
  readonly now: number
  readonly ofNow: number
  /** Domains of both windows, also those that are in both. */
  readonly tested: number
}

/** The domains that answers cite only before a day, or only from it on: the most cited. */
export function readSources(
  scope: ProjectScope,
  { since, ...range }: DateRange & { readonly since: string },
): Promise<SourceRow[]> {
  const snapshot = currentSnapshot(scope)
  return run<SourceRow>(scope.warehouse, {
    id: 'alarms.sources',
    sql: sourcesByWindow(factsWhere(noFilters, snapshot)),
    params: { ...factParams(scope.project.id, range, noFilters, snapshot), since },
  })
}

export type VendorRequests = Requests & { readonly vendor: string }

/** The requests of verified crawlers in the 24 hours before `now`, by vendor. */
export function readRequests(
  { project, warehouse }: ProjectScope,
  now: Date,
): Promise<VendorRequests[]> {
  return run<VendorRequests>(warehouse, {
    id: 'alarms.requests',
    sql: refusedRequests,
    params: { project: project.id, sinceMs: now.getTime() - 86_400_000 },
  })
}

export const dayOf = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

/** What of a stratum's counts on a day, by their index, a monitor watches. */
export type Watched = (row: Stratum, at: number) => Cell

/** The days of a series, with the cells of `control` where it is compared with them. */
export function seriesOf(rows: readonly Stratum[], watched: Watched, control?: Watched): Day[] {
  const days = new Map<number, { cells: Map<string, Cell>; control: Map<string, Cell> }>()
  for (const row of rows) {
    for (const [at, number] of row.days.entries()) {
      const day = days.get(number) ?? { cells: new Map(), control: new Map() }
      days.set(number, day)
      day.cells.set(row.stratum, watched(row, at))
      if (control) day.control.set(row.stratum, control(row, at))
    }
  }
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([number, { cells, control: subtracted }]) => ({
      day: dayOf(number),
      cells,
      ...(control ? { control: subtracted } : {}),
    }))
}

/** The logarithm of one more than each day's number, from the first day to the last with any. A day without is 0. */
export function logSeries(rows: readonly TrafficDay[], of: 'crawls' | 'referrals'): Day[] {
  const numbers = new Map(rows.filter((row) => row[of] > 0).map((row) => [row.day, row[of]]))
  const [first, last] = [Math.min(...numbers.keys()), Math.max(...numbers.keys())]
  if (numbers.size === 0) return []
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    day: dayOf(first + at),
    cells: new Map([['all', { n: 1, sum: Math.log1p(numbers.get(first + at) ?? 0) }]]),
  }))
}
