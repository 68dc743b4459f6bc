import { invalid, notFound } from '../../core/errors.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { pageContent } from './sources.sql.ts'

/** The text of a page as fetched. */
export interface PageContent {
  readonly projectId: string
  readonly url: string
  readonly title: string
  readonly content: string
  readonly fetchedAt: Date
}

interface Row extends Omit<PageContent, 'projectId' | 'fetchedAt'> {
  readonly fetchedMs: number
}

/**
 * The text of a cited page from its latest fetch.
 * @param url is normalised like the URLs of citations
 * @throws {Fault} `invalid_argument` for an invalid URL; `not_found` when no text of the page is stored
 */
export async function sourceContent(
  scope: ProjectScope,
  { url }: { url: string },
): Promise<PageContent> {
  const normal = normaliseUrl(url.trim())
  if (normal === null) throw invalid('url', 'must be an http or https URL', url)
  const [found] = await run<Row>(scope.warehouse, {
    id: 'sources.content',
    settled: true,
    sql: pageContent,
    params: { project: scope.project.id, url: normal },
  })
  if (!found) throw notFound()
  const { fetchedMs, ...page } = found
  return { projectId: scope.project.id, ...page, fetchedAt: new Date(fetchedMs) }
}
