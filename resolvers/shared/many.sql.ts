import type { DateRange } from '../../core/window.ts'
import {
  type FactParams,
  filterClauses,
  filterParams,
  type ManyScope,
  ofProject,
  projectParams,
} from './facts.sql.ts'
import type { Filters } from './filters.ts'

/**
 * The WHERE clause of `factsOf`: `factsWhere` for several projects, for statements that group by `project_id`. Each project is read at its own
 * snapshot. A filter on prompts holds the prompts of all projects.
 */
export function manyFactsWhere(filters: Filters, scopes: readonly ManyScope[]): string {
  const isOne = scopes.length === 1
  const clauses = [
    isOne ? 'project_id = {project:UUID}' : 'project_id IN {projects:Array(UUID)}',
    'day BETWEEN {from:Date} AND {to:Date}',
    `load_seq <= ${isOne ? '{load:UInt32}' : ofProject('{loads:Array(UInt32)}')}`,
  ]
  if (scopes.some(({ snapshot }) => snapshot.dead.length > 0)) {
    clauses.push(
      isOne
        ? 'load_seq NOT IN {dead:Array(UInt32)}'
        : 'NOT has(arrayZip({deadProjects:Array(UUID)}, {dead:Array(UInt32)}), (project_id, load_seq))',
    )
  }
  return [...clauses, ...filterClauses(filters, isOne)].join(' AND ')
}

/** The values of `manyFactsWhere`, `analysed` and `manyAnalyses`. */
export function manyFactParams(
  scopes: readonly ManyScope[],
  range: DateRange,
  filters: Filters,
): FactParams {
  const dead = scopes.flatMap(({ projectId, snapshot }) =>
    snapshot.dead.map((load) => ({ projectId, load })),
  )
  const [one] = scopes
  return {
    ...projectParams(scopes.map((scope) => scope.projectId)),
    ...(scopes.length === 1 && { load: one?.snapshot.load, analysis: one?.analysis }),
    loads: scopes.map((scope) => scope.snapshot.load),
    analyses: scopes.map((scope) => scope.analysis),
    from: range.from,
    to: range.to,
    ...(dead.length > 0
      ? { deadProjects: dead.map((it) => it.projectId), dead: dead.map((it) => it.load) }
      : {}),
    ...filterParams(filters),
  }
}
