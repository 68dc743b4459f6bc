import type { Bounds } from '../../../core/intervals/intervals.ts'
import { type Fraction, type Pair, pairedInterval } from '../../../core/intervals/paired.ts'
import type { DateRange } from '../../../core/window.ts'
import type { ManyRow } from '../many.ts'
import { promptSums } from './samples.sql.ts'
import { type CellIn, rowsOfCells, type SampleArgs } from './samples.ts'

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
async function sumsOf(cells: readonly CellIn[], args: SampleArgs): Promise<(Sums | Error)[]> {
  const found = await rowsOfCells<Row>(cells, args, { id: 'changes', sql: promptSums })
  return found.map((rows) => {
    if (rows instanceof Error) return rows
    const counted = new Map(rows.counted.map(({ prompt, n }) => [prompt, n]))
    return new Map(rows.base.map(({ prompt, d }) => [prompt, { n: counted.get(prompt) ?? 0, d }]))
  })
}

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
