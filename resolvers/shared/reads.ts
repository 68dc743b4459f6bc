import { fingerprint, type PageArgs } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { type ManyScope, manyFactParams, manyFactsWhere } from './facts.sql.ts'
import type { FilterArgs, Filters } from './filters.ts'
import { rowsOfMany } from './many.ts'
import type { ProjectScope } from './scope.ts'
import { pageSnapshot } from './snapshot.ts'

/** Which facts are meant, of whatever project, and which page of a list over them. */
export interface PageAsk extends DateRange, FilterArgs, PageArgs {}

export interface PageStatement {
  readonly id: string
  /** What pages are walked of. All parts of a report name the same list, and so are read at one snapshot. */
  readonly list: string
  /** Over the facts of several projects; its rows say which project they are of. */
  readonly sql: (facts: string) => string
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * The rows of each of several projects by one statement, at the snapshot of the walk that the page belongs to.
 * @returns the rows of each project, in order; the error of one whose filters name what it does not have
 */
export function readMany<Row extends { projectId: string }>(
  scopes: readonly ProjectScope[],
  ask: PageAsk,
  { id, list, sql, params = {} }: PageStatement,
): Promise<(readonly Row[] | Error)[]> {
  const { from, to, platform, topicId, branded, unbranded, country, locationId, promptId } = ask
  const narrowing = { platform, topicId, branded, unbranded, country, locationId, promptId }
  const walk = fingerprint(list, { from, to, ...narrowing })
  const read = async (filters: Filters, many: readonly ManyScope[]) => {
    const [first] = scopes
    if (first === undefined) return []
    return run<Row>(first.warehouse, {
      id,
      frozen: true,
      sql: sql(manyFactsWhere(filters, many)),
      params: { ...manyFactParams(many, ask, filters), ...params },
    })
  }
  return rowsOfMany<Row>(scopes, ask, read, (scope) => pageSnapshot(scope, walk, ask.offset))
}
