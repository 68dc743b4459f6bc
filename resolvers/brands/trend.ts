import { type Bucket, bucketOf, type HistoryInterval } from '../../core/buckets.ts'
import { resolveWindow, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf } from '../shared/asked.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { brandHistory } from './brands.sql.ts'
import type { BrandsArgs } from './brands.ts'

/** What the answers of one day, week or month say of one brand. */
export interface BrandPoint extends Bucket, InCell {
  /** Answers of these days. */
  readonly responses: number
  /** Those that name the brand. */
  readonly named: number
  /** The sum over tracked brands of the answers of these days that name each. */
  readonly namedOfAll: number
}

interface Row extends ManyRow {
  readonly key: string
  readonly date: string
  readonly responses: number
  readonly named: number
}

export type BrandHistoryArgs = BrandsArgs & { readonly interval: HistoryInterval }

/** The days, weeks or months of any brand of a project or slice that have answers, oldest first. */
export type BrandHistory = (brandId: string) => readonly BrandPoint[]

/** The histories of all brands, for several projects or slices of projects in one statement. */
export async function brandHistories(
  scopes: readonly ProjectScope[],
  args: BrandHistoryArgs,
): Promise<(BrandHistory | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const by = args.interval
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<Row>(first.warehouse, {
      id: 'brands.history',
      settled: true,
      sql: brandHistory(by, facts),
      params,
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const whole = wholeCell(scope.project.id, askedOf(scope, range, args))
    const dates = rows
      .filter(({ key }) => key === '')
      .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    const named = new Map(rows.map(({ key, date, named: count }) => [`${key} ${date}`, count]))
    const namedOf = (brandId: string, date: string) => named.get(`${brandId} ${date}`) ?? 0
    const tracked = [scope.project, ...scope.project.competitors]
    const namedOfAll = new Map(
      dates.map(({ date }) => [date, tracked.reduce((sum, { id }) => sum + namedOf(id, date), 0)]),
    )
    return (brandId) =>
      dates.map(({ date, responses }) => ({
        ...bucketOf(range, by, date),
        responses,
        named: namedOf(brandId, date),
        namedOfAll: namedOfAll.get(date) ?? 0,
        cell: { ...whole, by, value: date, object: brandId },
      }))
  })
}
