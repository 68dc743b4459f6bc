import { fingerprint, type PageArgs } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { ManyScope } from './facts.sql.ts'
import { type FilterArgs, type Filters, filtersIn, readFilters } from './filters.ts'
import { filterMeaning } from './lists/meaning.ts'
import { currentSnapshot, pageSnapshot } from './lists/snapshot.ts'
import { manyFactParams, manyFactsWhere } from './many.sql.ts'
import type { ProjectScope, Snapshot } from './scope.ts'
import { type ManyFacts, manyFacts, type Slices, sliceParams } from './slices.sql.ts'

/** What one statement reads: projects, or slices of projects, whose filters agree. */
export interface ManySelection {
  readonly filters: Filters
  readonly scopes: readonly ManyScope[]
  readonly slices: Slices | null
}

/** The rows of all, or the first error among them, thrown. */
export function allRows<Row>(found: readonly (readonly Row[] | Error)[]): Row[] {
  return found.flatMap((rows) => {
    if (rows instanceof Error) throw rows
    return rows
  })
}

/**
 * The facts of a selection in a window, for one statement over all of its projects or slices.
 * @returns `facts`, for a statement that distinguishes slices; `where`, the bare clause, for one over whole projects; and the
 *   values that either binds
 */
export function factsOf({ filters, scopes, slices }: ManySelection, range: DateRange) {
  const where = manyFactsWhere(filters, scopes)
  return {
    where,
    facts: manyFacts(where, slices, scopes.length === 1),
    params: { ...manyFactParams(scopes, range, filters), ...sliceParams(slices) },
  }
}

/** A row of a statement over many: `slice` where the statement reads slices. */
export interface ManyRow {
  readonly projectId: string
  readonly slice?: string
}

const ownerOf = (projectId: string, slice: string | undefined) => `${projectId} ${slice ?? ''}`

/** The slice of a row as the statement writes it. */
const sliceIn = ({ slice }: ProjectScope) =>
  slice?.promptId === undefined ? slice?.id : `${slice.id} ${slice.promptId}`

/**
 * Reads facts of several projects, or of slices of projects, under the same arguments: one statement for all whose
 * filters agree.
 * @param snapshotOf the snapshot to read each project at; later pages of a list keep the snapshot of the first
 * @returns the rows per scope, in order; the error of a scope whose filters fail
 */
export async function rowsOfMany<Row extends ManyRow>(
  scopes: readonly ProjectScope[],
  args: FilterArgs,
  read: (selection: ManySelection) => Promise<readonly Row[]>,
  snapshotOf: (scope: ProjectScope) => Snapshot = currentSnapshot,
): Promise<(readonly Row[] | Error)[]> {
  const outcomes = await Promise.allSettled(scopes.map((scope) => readFilters(scope, args)))
  const passed = scopes.flatMap((scope, i) => {
    const outcome = outcomes[i]
    return outcome?.status === 'fulfilled' ? [{ scope, filters: outcome.value }] : []
  })
  const groups = Map.groupBy(passed, ({ scope, filters }) =>
    JSON.stringify([scope.slice?.by, scope.slice?.promptId !== undefined, sameFor(filters)]),
  )
  const answers = await Promise.all(
    [...groups.values()].map(async (group) => {
      const members = group.map(({ scope }) => scope)
      const slices = await slicesOf(members)
      const found = await read({
        filters: union(group.map(({ filters }) => filters)),
        scopes: manyScopes(members, snapshotOf),
        slices,
      })
      if (slices && found.some(({ slice }) => slice === undefined)) {
        throw new Error('The statement does not distinguish slices.')
      }
      return found
    }),
  )
  const rows = Map.groupBy(answers.flat(), ({ projectId, slice }) => ownerOf(projectId, slice))
  return scopes.map((scope, i) => {
    const outcome = outcomes[i]
    if (outcome?.status === 'rejected') return asError(outcome.reason)
    return rows.get(ownerOf(scope.project.id, sliceIn(scope))) ?? []
  })
}

function manyScopes(
  scopes: readonly ProjectScope[],
  snapshotOf: (scope: ProjectScope) => Snapshot,
): ManyScope[] {
  const projects = new Map(scopes.map((scope) => [scope.project.id, scope]))
  return [...projects.values()].map((scope) => ({
    projectId: scope.project.id,
    snapshot: snapshotOf(scope),
    analysis: scope.project.analysis,
  }))
}

/** Null where the scopes are whole projects. All slices are of one dimension. */
async function slicesOf(scopes: readonly ProjectScope[]): Promise<Slices | null> {
  const [first] = scopes
  if (first?.slice === undefined) return null
  const { by } = first.slice
  const ids = [...new Set(scopes.flatMap(({ slice }) => (slice ? [slice.id] : [])))]
  const pairs = scopes.flatMap(({ slice }) =>
    slice?.promptId === undefined ? [] : [[slice.id, slice.promptId] as const],
  )
  if (by !== 'topic') return { by, ids, topicOf: [], pairs }
  const linked = await first.db.promptTopic.findMany({
    where: { topicId: { in: ids } },
    select: { promptId: true, topicId: true },
  })
  return { by, ids, topicOf: linked.map(({ promptId, topicId }) => [promptId, topicId]), pairs }
}

/** A prompt or location belongs to one project: the union of several projects' lists filters each one rightly. */
function sameFor(filters: Filters): string {
  const { platforms, models, countries, promptIds, locationIds, obtained } = filters
  const ofProject = [promptIds !== null, locationIds !== null]
  return JSON.stringify([platforms, models, countries, obtained?.ways, ...ofProject])
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
    obtained: first.obtained && {
      ways: first.obtained.ways,
      collected: [
        ...new Map(
          filters
            .flatMap(({ obtained }) => obtained?.collected ?? [])
            .map((one) => [`${one.projectId} ${one.load}`, one]),
        ).values(),
      ],
    },
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
  /** The statement over facts of several projects, or of slices of projects. Its rows hold `projectId`. */
  readonly sql: (where: string, facts: ManyFacts) => string
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
  const { from, to } = selection
  const walk = fingerprint(list, { from, to, ...filterMeaning(filtersIn(selection)) })
  const read = async (many: ManySelection) => {
    const [first] = scopes
    if (first === undefined) return []
    const { facts, where, params: ofFacts } = factsOf(many, selection)
    return run<Row>(first.warehouse, {
      id,
      frozen: true,
      sql: sql(where, facts),
      params: { ...ofFacts, ...params },
    })
  }
  return rowsOfMany<Row>(scopes, selection, read, (scope) =>
    pageSnapshot(scope, walk, selection.offset),
  )
}
