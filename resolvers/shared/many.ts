import type { ManyScope } from './facts.sql.ts'
import { type FilterArgs, type Filters, readFilters } from './filters.ts'
import type { ProjectScope, Snapshot } from './scope.ts'
import { currentSnapshot } from './snapshot.ts'

/**
 * Reads facts of several projects under the same arguments: one statement for all whose filters come to
 * the same, which is nearly always all. `read` gives rows that say which project they are of.
 * @param snapshotOf what is read of each; a page that is asked by offset keeps that of its walk
 * @returns the rows of each project, in order; the error of one whose filters name what it does not have
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

/** Prompts and locations are of one project alone, so that a list of several projects' narrows each rightly. */
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
