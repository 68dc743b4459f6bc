import type { PageArgs } from '../../core/pagination.ts'
import { comparable } from '../../core/text/comparable.ts'
import type { DateRange } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { run } from '../../warehouse/run.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import { pagesOfQueries, type SearchEngine } from './search-console.sql.ts'
import { type Counts, type SearchRow, totalsOf } from './search-console.ts'

/** A query that people searched for. */
interface Query {
  readonly scope: ProjectScope
  readonly name: string
}

/** A page that search results showed for a query, with the number of all such pages. */
export interface PageOfQuery extends SearchRow {
  readonly total: number
}

const keyOf = (projectId: string, query: string) => `${projectId} ${query}`

/**
 * A page of the pages that search results showed for each query, most clicks first. One statement reads all. Bing has none:
 * it reports queries and pages apart.
 */
export async function pagesForQueries(
  queries: readonly Query[],
  { from, to, limit, offset, engine }: DateRange & PageArgs & { readonly engine: SearchEngine },
): Promise<PageOfQuery[][]> {
  const [first] = queries
  if (first === undefined) return []
  type Row = Counts & { projectId: string; asked: string; name: string; total: number }
  const rows = await run<Row>(first.scope.warehouse, {
    id: 'search-console.pages-of-queries',
    sql: pagesOfQueries,
    params: {
      from,
      to,
      limit,
      offset,
      engine,
      projects: scopesOf(queries).map(({ project }) => project.id),
      queries: [...new Set(queries.map(({ name }) => name))],
    },
  })
  const found = Map.groupBy(rows, ({ projectId, asked }) => keyOf(projectId, asked))
  return queries.map(({ scope, name }) =>
    (found.get(keyOf(scope.project.id, name)) ?? []).map((row) => ({
      projectId: row.projectId,
      engine,
      name: row.name,
      window: { from, to },
      total: row.total,
      ...totalsOf(row),
    })),
  )
}

/** The ids of the prompts with the wording of each query, oldest first. One statement reads all. */
export async function promptsWorded(db: Db, queries: readonly Query[]): Promise<string[][]> {
  const projectIds = scopesOf(queries).map(({ project }) => project.id)
  const prompts = await db.prompt.findMany({
    where: { projectId: { in: projectIds } },
    select: { id: true, projectId: true, text: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  const byText = Map.groupBy(prompts, (row) => keyOf(row.projectId, comparable(row.text)))
  return queries.map(({ scope, name }) =>
    (byText.get(keyOf(scope.project.id, comparable(name))) ?? []).map(({ id }) => id),
  )
}
