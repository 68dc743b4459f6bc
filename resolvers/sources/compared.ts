import { type Ratio, share } from '../../core/metrics.ts'
import { undressed } from '../../core/sites/cited-url.ts'
import { comparedWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { type Asked, slicesOf } from '../shared/asked.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { Cell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { citationsOf, type SourceColumn } from './compared.sql.ts'
import { eachOf } from './objects.ts'

/** A source of a project, or of a slice of it, by its name. */
interface SourceIn {
  readonly scope: ProjectScope
  readonly name: string
  readonly cell: Cell
}

/** What answers of the compared window cite of a source. */
export interface SourceBefore {
  readonly citations: number
  /** Answers that cite it. */
  readonly citing: number
  readonly usage: Ratio
  readonly cell: Cell
}

interface Row extends ManyRow {
  readonly name: string
  readonly citations: number
  readonly citing: number
  readonly responses: number
}

/** Sources in the window that they are compared with: one statement for any number; null without a comparison. */
export const sourcesBefore =
  (column: SourceColumn) =>
  async (
    wanted: readonly SourceIn[],
    { compare, ...args }: Omit<Asked, 'slice'>,
  ): Promise<(SourceBefore | Error | null)[]> => {
    const scopes = slicesOf(wanted)
    const [first] = scopes
    if (first === undefined || compare === undefined) return wanted.map(() => null)
    const range = comparedWindow(args, compare)
    const nameIn = column === 'url' ? undressed : (name: string) => name
    const names = [...new Set(wanted.map(({ name }) => name))]
    const found = await rowsOfMany<Row>(scopes, args, (many) => {
      const { facts, params } = factsOf(many, range)
      return run<Row>(first.warehouse, {
        id: `sources.${column}s-before`,
        settled: true,
        sql: citationsOf(column, facts),
        params: { ...params, names },
      })
    })
    return eachOf(wanted, scopes, found, (rows, { name, cell }) => {
      const responses = rows.find((row) => row.name === '')?.responses ?? 0
      const { citations = 0, citing = 0 } = rows.find((row) => row.name === nameIn(name)) ?? {}
      const before = { ...cell, asked: { ...cell.asked, ...range } }
      return { citations, citing, usage: share(citing, responses), cell: before }
    })
  }
