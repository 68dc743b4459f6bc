import { deepStrictEqual } from 'node:assert'
import { run } from '../../warehouse/run.ts'
import type { BenchService } from '../service.ts'
import type { Days } from './project.ts'

type Row = Readonly<Record<string, unknown>>

type Lists =
  | 'platforms'
  | 'history'
  | 'prompts'
  | 'locations'
  | 'competitors'
  | 'answers'
  | 'sources'
  | 'urls'
  | 'contentTypes'
  | 'citations'
  | 'bots'

/** The parts of reports that have counts. */
export type Report = Readonly<Partial<Record<Lists, readonly Row[]>>> & {
  readonly summary?: Row
  readonly crawlers?: { readonly byPlatform: readonly Row[] }
}

/**
 * The shortest statements that count the figures of a report. They are written for one project, without filters. They
 * leave out what a report must: rows of imports and of analyses that have not ended. The statements of a step run at once.
 * Those of a second step get the first column of the first one as `{names}`. Columns have the names of the report.
 */
export interface ByHand {
  readonly steps: readonly (readonly string[])[]
  /** The rows of the report that the statements give. */
  readonly rows: (report: Report) => readonly Row[]
  /** The column that names a row; a row of a whole report has no name. */
  readonly key: string
  /** Counts that must agree. Those of all statements add up by key. */
  readonly counts: readonly string[]
}

/**
 * The facts of a bench are of the first import and of the first analysis. A report binds the same numbers: the engine
 * would leave out a filter by the largest number that there is.
 */
const first = { load: 1, analysis: 1 }

/** Runs the statements of a report over a window. @returns the rows of all */
export async function runByHand(
  { warehouse, projectId: project }: BenchService,
  { steps }: ByHand,
  { from, to }: Days,
): Promise<Row[]> {
  const all: Row[] = []
  let names: unknown[] = []
  for (const step of steps) {
    const found = await Promise.all(
      step.map((sql) =>
        run<Row>(warehouse, {
          id: 'bench.by_hand',
          sql,
          params: { ...first, project, from, to, ...(sql.includes('{names:') && { names }) },
          timeoutMs: 60_000,
        }),
      ),
    )
    names = (found[0] ?? []).map((row) => Object.values(row)[0])
    all.push(...found.flat())
  }
  return all
}

/** @throws {AssertionError} when a count of the report differs from that by hand */
export function compareCounts(
  { rows, key, counts }: ByHand,
  report: Report,
  byHand: readonly Row[],
): void {
  const sums = new Map<string, number[]>()
  for (const row of byHand) {
    const name = String(row[key] ?? '')
    const sum = sums.get(name) ?? counts.map(() => 0)
    sums.set(
      name,
      counts.map((count, i) => (sum[i] ?? 0) + Number(row[count] ?? 0)),
    )
  }
  for (const row of rows(report)) {
    const name = String(row[key] ?? '')
    deepStrictEqual(
      [name, ...counts.map((count) => row[count])],
      [name, ...(sums.get(name) ?? counts.map(() => 0))],
    )
  }
}
