import type { Bounds } from '../../../core/intervals/intervals.ts'
import { type Fraction, type Pair, pairedInterval } from '../../../core/intervals/paired.ts'
import { toneThreshold } from '../../../core/text/sentiment.ts'
import type { DateRange } from '../../../core/window.ts'
import { run } from '../../../warehouse/run.ts'
import { keyOfScope, slicesOf } from '../asked.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../many.ts'
import { measureOf } from './measures.sql.ts'
import { promptSums } from './samples.sql.ts'
import type { CellIn, SampleArgs } from './samples.ts'

export interface ChangeArgs extends SampleArgs {
  /** The window to compare with; `from` and `to` are the window of the report. */
  readonly compared: DateRange
}

interface Row extends ManyRow, Fraction {
  readonly cell: string
  readonly object: string
  readonly prompt: string
}

type Sums = ReadonlyMap<string, Fraction>

const none: Fraction = { n: 0, d: 0 }

/** The sums of each cell by prompt in one window, for all cells in one statement. */
async function sumsOf(
  cells: readonly CellIn[],
  { measure, by, ...asked }: SampleArgs,
): Promise<(Sums | Error)[]> {
  const scopes = slicesOf(cells)
  const [first] = scopes
  if (first === undefined) return []
  const objects = [...new Set(cells.map(({ object }) => object))].filter((it) => it !== '')
  const tracked = scopes.flatMap(({ project }) => [project, ...project.competitors])
  const found = await rowsOfMany<Row>(scopes, asked, (many) => {
    const { facts, params } = factsOf(many, asked)
    return run<Row>(first.warehouse, {
      id: `changes.${measure}`,
      sql: promptSums(measure, by, facts),
      params: { ...params, objects, tracked: tracked.map(({ id }) => id), tone: toneThreshold },
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
    const rows = byScope.get(keyOfScope(scope))
    if (rows === undefined || rows instanceof Error) return rows ?? new Map()
    const cell = own ? `${value} ${object}` : value
    const base = rows.get(keyOf({ cell, object: '' })) ?? []
    const held = shared ? (rows.get(keyOf({ cell, object })) ?? []) : base
    const counted = new Map(held.map(({ prompt, n }) => [prompt, n]))
    return new Map(base.map(({ prompt, d }) => [prompt, { n: counted.get(prompt) ?? 0, d }]))
  })
}

const keyOf = ({ cell, object }: Pick<Row, 'cell' | 'object'>) => `${cell}\n${object}`

function pairsOf(now: Sums, before: Sums): Pair[] {
  const prompts = new Set([...now.keys(), ...before.keys()])
  return [...prompts].map((prompt) => {
    return { now: now.get(prompt) ?? none, before: before.get(prompt) ?? none }
  })
}

/**
 * The 95 % intervals of changes of ratios between two windows, as fractions, over prompts paired between them. Two
 * statements read any number of cells.
 * @returns an interval per cell, in order; null below 5 prompts or 30 answers; the error of a scope whose filters fail
 */
export async function changesOf(
  cells: readonly CellIn[],
  { compared, ...args }: ChangeArgs,
): Promise<(Bounds | Error | null)[]> {
  const [now, before] = await Promise.all([
    sumsOf(cells, args),
    sumsOf(cells, { ...args, ...compared }),
  ])
  return cells.map((_, i) => {
    const [a, b] = [now[i], before[i]]
    if (a === undefined || b === undefined) return null
    if (a instanceof Error) return a
    return b instanceof Error ? b : pairedInterval(pairsOf(a, b))
  })
}
