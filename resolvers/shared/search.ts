import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from './facts.sql.ts'
import type { Filters } from './filters.ts'
import { currentSnapshot } from './lists/snapshot.ts'
import type { ProjectScope } from './scope.ts'

/** What a search is for. */
export interface Search {
  readonly scope: ProjectScope
  /** As it was written, to find the first place in a text. */
  readonly query: string
  readonly terms: readonly string[]
  /** The most results of one kind. */
  readonly first: number
  /** The days of facts that are searched. */
  readonly range: DateRange
}

/** What has all terms of a search. */
export interface Hit {
  /** The id of an object, or the domain or the URL of what is cited. */
  readonly key: string
  readonly title: string
  /** The part of a longer text that has the terms. */
  readonly snippet: string | null
  /** The prompt of an answer, whose text is the title. */
  readonly promptId?: string
}

const unfiltered: Filters = {
  platforms: null,
  models: null,
  promptIds: null,
  countries: null,
  locationIds: null,
  obtained: null,
}

/** Finds what has a name in the catalog, by a statement of the project, the terms and the limit. */
export const namedHits =
  (sql: string) =>
  async ({ scope: { db, project }, terms, first }: Search): Promise<Hit[]> => {
    const rows = await db.$queryRawUnsafe<{ id: string; name: string }[]>(
      sql,
      project.id,
      terms,
      first,
    )
    return rows.map(({ id, name }) => ({ key: id, title: name, snippet: null }))
  }

/** Finds facts, by a statement of their WHERE clause and the number of terms. */
export function factHits<Row extends object>(
  { scope, terms, first, range }: Search,
  kind: string,
  statement: (facts: string, terms: number) => string,
): Promise<Row[]> {
  const { warehouse, project } = scope
  const snapshot = currentSnapshot(scope)
  return run<Row>(warehouse, {
    id: `search.${kind}`,
    settled: true,
    sql: statement(factsWhere(unfiltered, snapshot), terms.length),
    params: {
      ...factParams(project.id, range, unfiltered, snapshot),
      ...Object.fromEntries(terms.map((term, i) => [`term${i}`, term])),
      limit: first,
    },
  })
}
