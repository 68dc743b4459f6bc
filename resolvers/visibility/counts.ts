import { type Ratio, share } from '../../core/metrics.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { askedOf } from '../shared/asked.ts'
import { batchedPart } from '../shared/batch.ts'
import { type FilterArgs, filtersIn } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { Cell, InCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import type { ManyFacts } from '../shared/slices.sql.ts'
import { brands, type CountKey, citations, presence } from './visibility.sql.ts'

/** The counts of one key. Counts that were not read are 0. */
export interface BrandCounts {
  readonly responses: number
  /** Responses that name the brand. */
  readonly named: number
  /** Occurrences of the brand's name. */
  readonly mentions: number
  /** The sum of the brand's ranks in the responses that name it. */
  readonly ranks: number
  readonly citations: number
  /** Distinct cited domains. */
  readonly sources: number
  /** Citations of own domains. */
  readonly ownCitations: number
}

/** Counts, and the answers that they count. */
export type CellCounts = BrandCounts & InCell

/** Counts by the value of a key: a day, a platform id, a prompt id … */
export type CountsByKey = ReadonlyMap<string, CellCounts>
type CountsByGrouping = ReadonlyMap<CountKey, CountsByKey>

export const noCounts: BrandCounts = {
  responses: 0,
  named: 0,
  mentions: 0,
  ranks: 0,
  citations: 0,
  sources: 0,
  ownCitations: 0,
}

/** What is counted. `brands` supports the key brand id only. */
interface CountsSelection extends FilterArgs, DateRange {
  readonly of: 'presence' | 'citations' | 'brands'
}

type CountsRow = Partial<BrandCounts> & ManyRow & { by: CountKey; key: string }

function statement(of: CountsSelection['of'], by: readonly CountKey[], facts: ManyFacts): string {
  if (of === 'brands') return brands(facts)
  return of === 'presence' ? presence(by, facts) : citations(by, facts)
}

function ownDomains(scopes: readonly ProjectScope[]): Record<string, string[]> {
  const projects = new Map(scopes.map(({ project }) => [project.id, project]))
  const pairs = [...projects.values()].flatMap((project) =>
    brandDomains(project).map((domain) => ({ id: project.id, domain })),
  )
  return {
    ownProjects: pairs.map(({ id }) => id),
    ownDomains: pairs.map(({ domain }) => domain),
  }
}

/** Counts by some keys of several projects, or of slices of projects, under one selection. */
async function countsOfMany(
  scopes: readonly ProjectScope[],
  selection: CountsSelection,
  by: readonly CountKey[],
): Promise<(CountsByGrouping | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const found = await rowsOfMany<CountsRow>(scopes, selection, (many) => {
    const { facts, params } = factsOf(many, selection)
    return run<CountsRow>(first.warehouse, {
      id: `visibility.${[selection.of, ...by].join('-')}`,
      settled: true,
      sql: statement(selection.of, by, facts),
      params: { ...params, ...(selection.of === 'citations' ? ownDomains(scopes) : {}) },
    })
  })
  return found.map((rows) => (rows instanceof Error ? rows : countsFrom(rows)))
}

function countsFrom(rows: readonly CountsRow[]): CountsByGrouping {
  const found = new Map<CountKey, Map<string, BrandCounts>>()
  for (const row of rows) {
    const counts = found.get(row.by) ?? new Map<string, BrandCounts>()
    counts.set(row.key, sum([counts.get(row.key) ?? noCounts, row]))
    found.set(row.by, counts)
  }
  return found
}

/** All counts add up except `sources`: two keys may cite the same domain. */
export function sum(parts: Iterable<Partial<BrandCounts>>): BrandCounts {
  const total: Record<keyof BrandCounts, number> = { ...noCounts }
  for (const part of parts) {
    for (const name of Object.keys(noCounts) as (keyof BrandCounts)[])
      total[name] += part[name] ?? 0
  }
  return total
}

/** 100 · responses that name the brand ⁄ responses. */
export function score({ named, responses }: BrandCounts): Ratio {
  return share(named, responses)
}

/** Best score first, compared exactly; ties by name. */
export function bestFirst<Row extends { counts: BrandCounts }>(nameOf: (row: Row) => string) {
  return (a: Row, b: Row): number =>
    b.counts.named * a.counts.responses - a.counts.named * b.counts.responses ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
}

/** Arguments of every visibility report. */
export type VisibilityArgs = WindowArgs & FilterArgs

export interface CompareArgs {
  readonly compare?: Comparison | null | undefined
}

/** Reads the counts of a row in the compared window; null without a comparison. */
export type PreviousOf = (value: string) => () => Promise<CellCounts | null>

/**
 * The window of a report, and `countBy`, which counts by a key in this or another window. Keys requested together
 * share one statement. `previousBy` counts by a key in the compared window, once a row asks for it.
 */
export function beginReport(scope: ProjectScope, args: VisibilityArgs & CompareArgs) {
  const filters = filtersIn(args)
  const range = resolveWindow(args, yearWindow, scope.now)
  const cellsOf = (days: DateRange, by: CountKey) => {
    const asked = askedOf(scope, days, filters)
    return (value: string): Cell => ({ projectId: scope.project.id, asked, by, value, object: '' })
  }
  const read = new Map<string, Promise<CountsByKey>>()
  const countBy = (of: CountsSelection['of'], key: CountKey, days: DateRange = range) => {
    const { from, to } = days
    const name = `${of} ${from} ${to} ${key}`
    const asked = { of, from, to, ...filters }
    const counts =
      read.get(name) ??
      batchedPart('visibility.counts', scope, key, asked, countsOfMany).then((found) =>
        withCells(found, cellsOf({ from, to }, key)),
      )
    read.set(name, counts)
    return counts
  }
  const compared = args.compare ? comparedWindow(range, args.compare) : null
  const previousBy =
    (key: CountKey): PreviousOf =>
    (value) =>
    async () => {
      if (compared === null) return null
      const found = await countBy('presence', key, compared)
      return found.get(value) ?? { ...noCounts, cell: cellsOf(compared, key)(value) }
    }
  return { range, countBy, cellsOf, compared, previousBy }
}

function withCells(counts: CountsByKey | undefined, cellOf: (value: string) => Cell): CountsByKey {
  return new Map([...(counts ?? [])].map(([key, row]) => [key, { ...row, cell: cellOf(key) }]))
}

export type CountBy = ReturnType<typeof beginReport>['countBy']
