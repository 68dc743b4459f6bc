import type { Sample, Squares } from '../../../core/intervals/intervals.ts'
import { toneThreshold } from '../../../core/text/sentiment.ts'
import type { DateRange } from '../../../core/window.ts'
import { run } from '../../../warehouse/run.ts'
import { keyOfScope, slicesOf } from '../asked.ts'
import type { FilterArgs } from '../filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../many.ts'
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
}

type Row = ManyRow &
  Record<'a' | 'b' | 'prompts' | 'strataOfTwo', number> &
  Record<keyof Squares | `${keyof Squares}Of${'Prompts' | 'Strata'}`, number> & {
    readonly cell: string
    readonly object: string
  }

/**
 * The sums that intervals need, of any number of cells in one statement for all that divide the same answers.
 * @returns a sample per cell, in order; null where no answer counts; the error of a scope whose filters fail
 */
export async function samplesOf(
  cells: readonly CellIn[],
  args: SampleArgs,
): Promise<(Sample | Error | null)[]> {
  const scopes = slicesOf(cells)
  const [first] = scopes
  if (first === undefined) return []
  const { measure, by } = args
  const objects = [...new Set(cells.map(({ object }) => object))].filter((it) => it !== '')
  const tracked = scopes.flatMap(({ project }) => [project, ...project.competitors])
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, args)
    return run<Row>(first.warehouse, {
      id: `samples.${measure}`,
      sql: samples(measure, by, facts),
      params: { ...params, objects, tracked: tracked.map(({ id }) => id), tone: toneThreshold },
    })
  })
  const byScope = new Map(
    scopes.map((scope, i) => {
      const rows = found[i] ?? []
      const byCell = rows instanceof Error ? rows : new Map(rows.map((row) => [keyOf(row), row]))
      return [keyOfScope(scope), byCell]
    }),
  )
  return cells.map(({ scope, value, object }) => {
    const rows = byScope.get(keyOfScope(scope)) ?? new Map<string, Row>()
    if (rows instanceof Error) return rows
    const { shared = false, own = false } = measureOf(measure)
    const cell = own ? `${value} ${object}` : value
    const base = rows.get(keyOf({ cell, object: '' }))
    return base ? sampleOf(base, shared ? rows.get(keyOf({ cell, object })) : base) : null
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
    ofPrompts: squares('OfPrompts'),
    ofStrata: base.strataOfTwo > 0 ? squares('OfStrata') : null,
  }
}
