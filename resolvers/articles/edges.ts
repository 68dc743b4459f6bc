import { domainOf, hostOf } from '../../core/sites/urls.ts'
import { isUuid } from '../../core/uuid.ts'
import { brandDomains } from '../projects/projects.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import { type Article, completed, ownDomainsOf, pathOf, type Row } from './articles.ts'
import { pagesAtPaths, piecesAtPaths } from './edges.sql.ts'

interface OfProject {
  readonly scope: ProjectScope
}

const keyOf = (projectId: string, path: string) => `${projectId} ${path}`

/** The first row of each key. */
function firstBy<Found>(rows: readonly Found[], key: (row: Found) => string): Map<string, Found> {
  return new Map(rows.toReversed().map((row) => [key(row), row]))
}

/** The id of the own page of each content piece; null without a known page. One statement reads all. */
export async function pagesOfArticles(
  pieces: readonly (OfProject & { readonly article: Pick<Article, 'urlPath'> })[],
): Promise<(string | null)[]> {
  const [first] = pieces
  if (first === undefined) return []
  const scopes = scopesOf(pieces)
  const rows = await first.scope.db.$queryRawUnsafe<
    { id: string; projectId: string; path: string }[]
  >(
    pagesAtPaths,
    scopes.map(({ project }) => project.id),
    pieces.map(({ article }) => pathOf(article)),
    ...ownDomainsOf(scopes),
  )
  const byPath = firstBy(rows, ({ projectId, path }) => keyOf(projectId, path))
  return pieces.map(({ scope, article }) => {
    return byPath.get(keyOf(scope.project.id, pathOf(article)))?.id ?? null
  })
}

const pathOfUrl = (url: string) => pathOf({ urlPath: new URL(url).pathname })

/** The content piece of each page; null without one. One statement reads all pieces, one their AI readiness. */
export async function articlesOfPages(
  pages: readonly (OfProject & { readonly url: string })[],
): Promise<(Article | null)[]> {
  const [first] = pages
  if (first === undefined) return []
  const scopes = scopesOf(pages)
  const rows = await first.scope.db.$queryRawUnsafe<Row[]>(
    piecesAtPaths,
    scopes.map(({ project }) => project.id),
    pages.map(({ url }) => pathOfUrl(url)),
  )
  const byPath = firstBy(rows, (row) => keyOf(row.projectId, pathOf(row)))
  const found = pages.map(({ scope: { project }, url }) => {
    // Pieces have no host: they are of the own domains.
    const isOwn = brandDomains(project).includes(domainOf(hostOf(url)))
    return isOwn ? (byPath.get(keyOf(project.id, pathOfUrl(url))) ?? null) : null
  })
  const pieces = await completed(scopes, [...new Set(found.filter((row) => row !== null))])
  const byId = new Map(pieces.map((piece) => [piece.id, piece]))
  return found.map((row) => (row && byId.get(row.id)) ?? null)
}

/** Content pieces by id, in order; null where the project has none of the id. */
export async function articlesById(
  wanted: readonly (OfProject & { readonly id: string })[],
): Promise<(Article | null)[]> {
  const [first] = wanted
  if (first === undefined) return []
  const scopes = scopesOf(wanted)
  const rows = await first.scope.db.article.findMany({
    where: {
      projectId: { in: scopes.map(({ project }) => project.id) },
      id: { in: wanted.map(({ id }) => id).filter(isUuid) },
    },
    omit: { content: true },
  })
  const byId = new Map((await completed(scopes, rows)).map((piece) => [piece.id, piece]))
  return wanted.map(({ scope, id }) => {
    const found = byId.get(id)
    return found?.projectId === scope.project.id ? found : null
  })
}
