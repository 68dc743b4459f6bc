import { fingerprint, type PageArgs } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { type ManyScope, manyFactParams, manyFactsWhere } from './facts.sql.ts'
import { type FilterArgs, type Filters, readFilters } from './filters.ts'
import type { ProjectScope, Snapshot } from './scope.ts'
import { currentSnapshot, pageSnapshot } from './snapshot.ts'

/**
 * Reads facts of several projects under the same arguments: one statement for all projects whose filters agree.
 * @param snapshotOf the snapshot to read each project at; later pages of a list keep the snapshot of the first
 * @returns the rows per project, in order; the error of a project whose filters fail
 */
export async function rowsOfMany<Row extends { projectId: string }>(
  scopes: readonly ProjectScope[],
  args: FilterArgs,
  read: (filters: Filters, scopes: readonly ManyScope[]) => Promise<readonly Row[]>,
  snapshotOf: (scope: ProjectScope) => Snapshot = currentSnapshot,
): Promise<(readonly Row[] | Error)[]> {
  const outcomes = await Promise.allSettled(scopes.map((scope) => readFilters(scope, args)))
  const passed = scopes.flatMap((scope, i) => {
    const outcome = outcomes[i]
    return outcome?.status === 'fulfilled' ? [{ scope, filters: outcome.value }] : []
  })
  const groups = Map.groupBy(passed, ({ filters }) => sameFor(filters))
  const answers = await Promise.all(
    [...groups.values()].map((group) =>
      read(
        union(group.map(({ filters }) => filters)),
        group.map(({ scope }) => manyScope(scope, snapshotOf(scope))),
      ),
    ),
  )
  const rows = Map.groupBy(answers.flat(), ({ projectId }) => projectId)
  return scopes.map(({ project }, i) => {
    const outcome = outcomes[i]
    return outcome?.status === 'rejected' ? asError(outcome.reason) : (rows.get(project.id) ?? [])
  })
}

function manyScope({ project }: ProjectScope, snapshot: Snapshot): ManyScope {
  return { projectId: project.id, snapshot, analysis: project.analysis }
}

/** A prompt or location belongs to one project: the union of several projects' lists filters each one rightly. */
function sameFor({ platforms, models, countries, promptIds, locationIds }: Filters): string {
  return JSON.stringify([platforms, models, countries, promptIds !== null, locationIds !== null])
}

function union(filters: readonly Filters[]): Filters {
  const [first] = filters
  if (first === undefined) throw new Error('a statement about no project')
  return {
    ...first,
    promptIds: first.promptIds && filters.flatMap(({ promptIds }) => promptIds ?? []),
    locationIds: first.locationIds && [
      ...new Set(filters.flatMap(({ locationIds }) => locationIds ?? [])),
    ],
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

/** Selects facts, whatever the project, and a page of a list over them. */
export interface PageSelection extends DateRange, FilterArgs, PageArgs {}

export interface PageStatement {
  readonly id: string
  /** Names the list. All parts of a report name the same list, and share its snapshot. */
  readonly list: string
  /** The statement over facts of several projects. Its rows hold `projectId`. */
  readonly sql: (facts: string) => string
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * Reads a page of several projects in one statement, at the snapshot of the first page.
 * @returns the rows per project, in order; the error of a project whose filters fail
 */
export function readMany<Row extends { projectId: string }>(
  scopes: readonly ProjectScope[],
  selection: PageSelection,
  { id, list, sql, params = {} }: PageStatement,
): Promise<(readonly Row[] | Error)[]> {
  const { from, to, platform, topicId, branded, unbranded, country, locationId, promptId } =
    selection
  const narrowing = { platform, topicId, branded, unbranded, country, locationId, promptId }
  const walk = fingerprint(list, { from, to, ...narrowing })
  const read = async (filters: Filters, many: readonly ManyScope[]) => {
    const [first] = scopes
    if (first === undefined) return []
    return run<Row>(first.warehouse, {
      id,
      frozen: true,
      sql: sql(manyFactsWhere(filters, many)),
      params: { ...manyFactParams(many, selection, filters), ...params },
    })
  }
  return rowsOfMany<Row>(scopes, selection, read, (scope) =>
    pageSnapshot(scope, walk, selection.offset),
  )
}
