import { resolveWindow, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { askedOf } from '../shared/asked.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type InCell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { brandDays } from './brands.sql.ts'
import type { BrandsArgs } from './brands.ts'

/** What the answers of one day say of one brand. */
export interface BrandDay extends InCell {
  /** UTC day, `YYYY-MM-DD`. */
  readonly date: string
  /** Answers of the day. */
  readonly responses: number
  /** Answers of the day that name the brand. */
  readonly named: number
  /** The sum over tracked brands of the answers of the day that name each. */
  readonly namedOfAll: number
}

interface Row extends ManyRow {
  readonly key: string
  readonly date: string
  readonly responses: number
  readonly named: number
}

/** The days of any brand of a project or slice that have answers, oldest first. */
export type BrandDays = (brandId: string) => readonly BrandDay[]

/** The days of all brands, for several projects or slices of projects in one statement. */
export async function brandDaysOfMany(
  scopes: readonly ProjectScope[],
  args: BrandsArgs,
): Promise<(BrandDays | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const found = await rowsOfMany<Row>(scopes, args, (many) => {
    const { facts, params } = factsOf(many, range)
    return run<Row>(first.warehouse, {
      id: 'brands.days',
      settled: true,
      sql: brandDays(facts),
      params,
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const whole = wholeCell(scope.project.id, askedOf(scope, range, args))
    const days = rows.filter(({ key }) => key === '').toSorted((a, b) => (a.date < b.date ? -1 : 1))
    const named = new Map(rows.map(({ key, date, named: count }) => [`${key} ${date}`, count]))
    const namedOf = (brandId: string, date: string) => named.get(`${brandId} ${date}`) ?? 0
    const tracked = [scope.project, ...scope.project.competitors]
    const namedOfAll = new Map(
      days.map(({ date }) => [date, tracked.reduce((sum, { id }) => sum + namedOf(id, date), 0)]),
    )
    return (brandId) =>
      days.map(({ date, responses }) => ({
        date,
        responses,
        named: namedOf(brandId, date),
        namedOfAll: namedOfAll.get(date) ?? 0,
        cell: { ...whole, by: 'day', value: date, object: brandId },
      }))
  })
}
