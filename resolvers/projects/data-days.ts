import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import { factsOf } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { answerDays, type CountedRows, rowDays } from './data-days.sql.ts'

/** Before and after all answers: an import accepts none from before the year 2000. */
const allDays = { from: '2000-01-01', to: '2100-01-01' } as const
const noFilters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
} as const

interface Row {
  readonly projectId: string
  readonly first: string
  readonly last: string
}

/** What a report counts. */
export type CountedData = 'answers' | CountedRows

/** The days from the first to the last row that reports count, of each project; null for a project without any. */
export async function dataDays(
  scopes: readonly ProjectScope[],
  { of = 'answers' }: { readonly of?: CountedData } = {},
): Promise<(DateRange | null)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const rows = await run<Row>(first.warehouse, {
    id: `projects.days-of-${of}`,
    ...(of === 'answers' ? ofAnswers(scopes) : ofRows(scopes, of)),
  })
  const byId = new Map(rows.map((row) => [row.projectId, { from: row.first, to: row.last }]))
  return scopes.map(({ project }) => byId.get(project.id) ?? null)
}

function ofAnswers(scopes: readonly ProjectScope[]) {
  const many = scopes.map((scope) => ({
    projectId: scope.project.id,
    snapshot: currentSnapshot(scope),
    analysis: scope.project.analysis,
  }))
  const { where, params } = factsOf({ filters: noFilters, scopes: many, slices: null }, allDays)
  return { settled: true, sql: answerDays(where), params }
}

function ofRows(scopes: readonly ProjectScope[], of: CountedRows) {
  return { sql: rowDays(of), params: { projects: scopes.map(({ project }) => project.id) } }
}
