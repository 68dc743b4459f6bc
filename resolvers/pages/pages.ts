import { notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { pageKey, variantsOf } from '../../core/sites/cited-url.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { pageCounts, pageStates, pagesWithIssues } from './pages.sql.ts'

type Row = NonNullable<Awaited<ReturnType<Db['page']['findFirst']>>>

/** A page of the site. */
export interface Page extends Row, PageState {}

/** What audits say of a page, counted when asked. */
interface PageState {
  readonly openIssueCount: number
  readonly isBeingAudited: boolean
}

/** The pages with their states, in order. */
async function withStates(db: Db, rows: readonly Row[]): Promise<Page[]> {
  const ids = rows.map(({ id }) => id)
  const states = await db.$queryRawUnsafe<(PageState & { id: string })[]>(pageStates, ids)
  const byId = new Map(states.map((state) => [state.id, state]))
  return rows.map((row) => {
    const { openIssueCount = 0, isBeingAudited = false } = byId.get(row.id) ?? {}
    return { ...row, openIssueCount, isBeingAudited }
  })
}

/** Pages by id, in order; null where unknown. Callers reach the ids through a project of the reader. */
export async function pagesById(db: Db, ids: readonly string[]): Promise<(Page | null)[]> {
  const rows = await db.page.findMany({ where: { id: { in: [...ids] } } })
  const byId = new Map((await withStates(db, rows)).map((page) => [page.id, page]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** Pages by project and normalised URL on any of the hosts that show the site, in order; null where unknown. */
export async function pagesByUrl(
  db: Db,
  wanted: readonly { readonly projectId: string; readonly url: string }[],
): Promise<(Page | null)[]> {
  const rows = await db.page.findMany({
    where: {
      projectId: { in: [...new Set(wanted.map(({ projectId }) => projectId))] },
      url: { in: [...new Set(wanted.flatMap(({ url }) => [url, ...variantsOf(url)]))] },
    },
  })
  const key = (of: { readonly projectId: string; readonly url: string }) =>
    `${of.projectId} ${of.url}`
  const found = await withStates(db, rows)
  const byUrl = new Map(found.map((page) => [key(page), page]))
  const byKey = new Map(found.map((page) => [`${page.projectId} ${pageKey(page.url)}`, page]))
  return wanted.map(
    (of) => byUrl.get(key(of)) ?? byKey.get(`${of.projectId} ${pageKey(of.url)}`) ?? null,
  )
}

interface TypeCount {
  readonly key: string
  readonly count: number
  readonly tracked: number
}

const sumOf = (counts: readonly TypeCount[], name: 'count' | 'tracked') =>
  counts.reduce((sum, row) => sum + row[name], 0)

/** A page of the site's pages, by URL. */
export async function pages({ db, project }: ProjectScope, { limit, offset, afterKey }: PageArgs) {
  const where = { projectId: project.id }
  const [rows, counts, [faulty]] = await Promise.all([
    db.page.findMany({
      where: { ...where, ...followsRow([['url', 'asc']], afterKey) },
      orderBy: { url: 'asc' },
      take: limit,
      skip: offset,
    }),
    db.$queryRawUnsafe<TypeCount[]>(pageCounts, project.id),
    db.$queryRawUnsafe<{ count: number }[]>(pagesWithIssues, project.id),
  ])
  const totalPages = sumOf(counts, 'count')
  return {
    summary: {
      totalPages,
      trackedPages: sumOf(counts, 'tracked'),
      pagesWithIssues: faulty?.count ?? 0,
      counts,
    },
    pages: await withStates(db, rows),
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
  const [known] = await withStates(db, [found])
  if (!known) throw notFound()
  return known
}
