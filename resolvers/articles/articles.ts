import { notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { readMinutes } from '../../core/text/words.ts'
import { isUuid } from '../../core/uuid.ts'
import { brandDomains } from '../projects/projects.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { articleCounts, articlePage, readinessByPath } from './articles.sql.ts'

/** A content piece, without its text. */
export interface Article {
  readonly id: string
  readonly projectId: string
  readonly title: string
  readonly slug: string
  readonly urlPath: string
  readonly status: string
  readonly type: string
  readonly topic: string | null
  readonly targetKeyword: string | null
  readonly keywords: readonly string[]
  readonly wordCount: number
  readonly readTime: number
  readonly metaDescription: string | null
  readonly ogImage: string | null
  readonly visibility: string
  readonly isPillar: boolean
  readonly aiReadinessScore: number | null
  readonly tags: readonly string[]
  readonly source: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly publishedAt: Date | null
}

export interface ArticleArgs extends PageArgs {
  status?: Choice<string>
}

export type Row = Omit<Article, 'readTime'>

const withReadTime = <Found extends Row>(row: Found) => ({
  ...row,
  readTime: readMinutes(row.wordCount),
})

export const pathOf = ({ urlPath }: Pick<Article, 'urlPath'>) => urlPath.replace(/\/+$/, '') || '/'

/** The own domains of projects, as two lists: the project of each domain, and the domain. */
export function ownDomainsOf(scopes: readonly ProjectScope[]) {
  const pairs = scopes.flatMap(({ project }) =>
    brandDomains(project).map((domain) => [project.id, domain] as const),
  )
  return [pairs.map(([project]) => project), pairs.map(([, domain]) => domain)] as const
}

const keyOf = (projectId: string, path: string) => `${projectId} ${path}`

/**
 * Pieces of several projects with the AI readiness that the newest audit gave their page, else as imported. One
 * statement reads all.
 */
export async function completed<Found extends Row>(
  scopes: readonly ProjectScope[],
  rows: readonly Found[],
) {
  const [first] = scopes
  if (first === undefined || rows.length === 0) return []
  const scored = await first.db.$queryRawUnsafe<
    { projectId: string; path: string; score: number | null }[]
  >(
    readinessByPath,
    scopes.map(({ project }) => project.id),
    rows.map(pathOf),
    ...ownDomainsOf(scopes),
  )
  const scores = new Map(scored.map((row) => [keyOf(row.projectId, row.path), row.score]))
  return rows.map((row) => ({
    ...withReadTime(row),
    aiReadinessScore: scores.get(keyOf(row.projectId, pathOf(row))) ?? row.aiReadinessScore,
  }))
}

/** The statuses as stored; null for all but `archived`. */
function statusesOf(status: Choice<string>): readonly string[] | null {
  // PostgreSQL rejects a NUL in a parameter.
  const stored = chosen(status)?.map((text) => text.replaceAll('\0', '\ufffd').trim().toLowerCase())
  return chosen(stored?.filter((text) => text !== '' && text !== 'all'))
}

/**
 * A page of content pieces of both stores, latest change first. `all` or no status leaves out archived pieces.
 */
export async function articles(
  scope: ProjectScope,
  { status, limit, offset, afterKey }: ArticleArgs,
) {
  const { db, project } = scope
  const asked = [project.id, statusesOf(status)] as const
  const [rows, counts] = await Promise.all([
    db.$queryRawUnsafe<Row[]>(articlePage, ...asked, limit, offset, keyParam(afterKey)),
    db.$queryRawUnsafe<{ key: string; count: number }[]>(articleCounts, ...asked),
  ])
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return {
    summary: { total, counts },
    articles: await completed([scope], rows),
    pagination: pagination({ limit, offset }, rows.length, total),
  }
}

/**
 * One content piece, with its text.
 * @throws {Fault} `not_found`
 */
export async function article(scope: ProjectScope, articleId: string) {
  const { db, project } = scope
  const id = isUuid(articleId) ? articleId : null
  const found = id && (await db.article.findUnique({ where: { id, projectId: project.id } }))
  if (!found) throw notFound()
  const [known] = await completed([scope], [found])
  if (!known) throw notFound()
  return known
}

export type ArticleWithText = Awaited<ReturnType<typeof article>>
