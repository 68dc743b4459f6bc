import type { Sample, Squares } from '../../../core/intervals/intervals.ts'
import { type Rater, toneThreshold } from '../../../core/text/sentiment.ts'
import type { DateRange } from '../../../core/window.ts'
import { run } from '../../../warehouse/run.ts'
import { keyOfScope, slicesOf } from '../asked.ts'
import type { FilterArgs } from '../filters.ts'
import { isSettled, judgeVersions, ratedFactsOf } from '../judged.ts'
import { type ManyRow, rowsOfMany } from '../many.ts'
import type { ProjectScope } from '../scope.ts'
import type { Cell } from './cell.ts'
import { type Dimension, type MeasureName, measureOf } from './measures.sql.ts'
import { samples } from './samples.sql.ts'

/** A ratio in the answers of a project or slice: of one cell of a dimension, and of one object, such as a brand. */
export interface CellIn extends Pick<Cell, 'value' | 'object'> {
  readonly scope: ProjectScope
}

export interface SampleArgs extends DateRange, FilterArgs {
  readonly measure: MeasureName
  readonly by: Dimension
  readonly rater?: Rater
}

interface CellRow extends ManyRow {
  readonly cell: string
  readonly object: string
}

/** The rows of one cell: of its base, and of what is counted in it, which are the same unless objects share a base. */
interface RowsOfCell<Row> {
  readonly base: readonly Row[]
  readonly counted: readonly Row[]
}

/**
 * Reads the rows of any number of cells in one statement for all that divide the same answers.
 * @param sql writes the statement over the facts
 * @returns the rows per cell, in order; the error of a scope whose filters fail
 */
export async function rowsOfCells<Row extends CellRow>(
  cells: readonly CellIn[],
  args: SampleArgs,
  { id, sql }: { readonly id: string; readonly sql: typeof samples },
): Promise<(RowsOfCell<Row> | Error)[]> {
  const scopes = slicesOf(cells)
  const [first] = scopes
  if (first === undefined) return []
  const { measure, by, rater } = args
  const isTone = measure.startsWith('tone') || measure.startsWith('netTone')
  const versions = isTone ? await judgeVersions(scopes, rater) : null
  const objects = [...new Set(cells.map(({ object }) => object))].filter((it) => it !== '')
  const tracked = scopes.flatMap(({ project }) => [project, ...project.competitors])
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = ratedFactsOf(many, args, versions)
    return run<Row>(first.warehouse, {
      id: `${id}.${measure}`,
      settled: isSettled(rater),
      sql: sql(measure, by, facts),
      params: {
        ...params,
        objects,
        tracked: tracked.map((brand) => brand.id),
        tone: toneThreshold,
      },
    })
  })
  const byScope = new Map(
    scopes.map((scope, i) => {
      const rows = found[i] ?? []
      return [keyOfScope(scope), rows instanceof Error ? rows : Map.groupBy(rows, keyOf)]
    }),
  )
  const { shared = false, own = false } = measureOf(measure)
  return cells.map(({ scope, value, object }) => {
    const rows = byScope.get(keyOfScope(scope)) ?? new Map<string, Row[]>()
    if (rows instanceof Error) return rows
    const cell = own ? `${value} ${object}` : value
    const base = rows.get(keyOf({ cell, object: '' })) ?? []
    return { base, counted: shared ? (rows.get(keyOf({ cell, object })) ?? []) : base }
  })
}

type Row = CellRow &
  Record<'a' | 'b' | 'prompts' | 'strataOfTwo' | 'weights' | 'spreads', number> &
  Record<'bbbOfPrompts' | 'bbbbOfPrompts', number> &
  Record<keyof Squares | `${keyof Squares}Of${'Prompts' | 'Strata'}`, number>

/**
 * The sums that intervals need, of any number of cells in one statement for all that divide the same answers.
 * @returns a sample per cell, in order; null where no answer counts; the error of a scope whose filters fail
 */
export async function samplesOf(
  cells: readonly CellIn[],
  args: SampleArgs,
): Promise<(Sample | Error | null)[]> {
  const found = await rowsOfCells<Row>(cells, args, { id: 'samples', sql: samples })
  return found.map((rows) => {
    if (rows instanceof Error) return rows
    const [base] = rows.base
    return base ? sampleOf(base, rows.counted[0]) : null
  })
}

const keyOf = ({ cell, object }: { cell: string; object: string }) => `${cell}\n${object}`

/** The base says how often an object could count, its own row how often it did. */
function sampleOf(base: Row, counted: Row | undefined): Sample {
  const squares = (suffix: '' | 'OfPrompts' | 'OfStrata'): Squares => ({
    aa: counted?.[`aa${suffix}`] ?? 0,
    ab: counted?.[`ab${suffix}`] ?? 0,
    bb: base[`bb${suffix}`],
  })
  return {
    a: counted?.a ?? 0,
    b: base.b,
    prompts: base.prompts,
    ofAnswers: squares(''),
    ofPrompts: { ...squares('OfPrompts'), bbb: base.bbbOfPrompts, bbbb: base.bbbbOfPrompts },
    ofStrata:
      base.strataOfTwo > 0
        ? { ...squares('OfStrata'), weights: base.weights, spreads: counted?.spreads ?? 0 }
        : null,
  }
}
