import { notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import type { Db } from '../../prisma/client.ts'
import { isUuid } from '../shared/ids.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { pageCounts } from './pages.sql.ts'

type Row = NonNullable<Awaited<ReturnType<Db['page']['findFirst']>>>

/** A page of the site. */
export interface Page extends Omit<Row, 'projectId'> {
  readonly openIssueCount: number
}

/** No audit has run yet: no page has known issues. */
function pageOf({ projectId: _, ...row }: Row): Page {
  return { ...row, openIssueCount: 0 }
}

interface TypeCount {
  readonly key: string
  readonly count: number
  readonly tracked: number
}

const sumOf = (counts: readonly TypeCount[], name: 'count' | 'tracked') =>
  counts.reduce((sum, row) => sum + row[name], 0)

/** A page of the site's pages, by URL. */
export async function pages({ db, project }: ProjectScope, { limit, offset }: PageArgs) {
  const where = { projectId: project.id }
  const [rows, counts] = await Promise.all([
    db.page.findMany({ where, orderBy: { url: 'asc' }, take: limit, skip: offset }),
    db.$queryRawUnsafe<TypeCount[]>(pageCounts, project.id),
  ])
  const totalPages = sumOf(counts, 'count')
  return {
    summary: { totalPages, trackedPages: sumOf(counts, 'tracked'), pagesWithIssues: 0, counts },
    pages: rows.map(pageOf),
    pagination: pagination({ limit, offset }, rows.length, totalPages),
  }
}

/**
 * One page.
 * @throws {Fault} `not_found`
 */
export async function page({ db, project }: ProjectScope, pageId: string): Promise<Page> {
  const id = isUuid(pageId) ? pageId : null
  const found = id && (await db.page.findUnique({ where: { id, projectId: project.id } }))
  if (!found) throw notFound()
  return pageOf(found)
}
