import { invalid, notFound } from '../../core/errors.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { pageContent } from './sources.sql.ts'

/** The text of a page, as it was fetched. */
export interface PageContent {
  readonly url: string
  readonly title: string
  readonly content: string
  readonly fetchedAt: Date
}

interface Row extends Omit<PageContent, 'fetchedAt'> {
  readonly fetchedMs: number
}

/**
 * The text of a cited page, the one that was fetched last.
 * @param url is normalised as those of citations are
 * @throws {Fault} `invalid_argument` for what is no URL; `not_found` where no text is cached
 */
export async function sourceContent(
  scope: ProjectScope,
  { url }: { url: string },
): Promise<PageContent> {
  const normal = normaliseUrl(url.trim())
  if (normal === null) throw invalid('url', 'must be an http or https URL')
  const [found] = await run<Row>(scope.warehouse, {
    id: 'sources.content',
    sql: pageContent,
    params: { project: scope.project.id, url: normal },
  })
  if (!found) throw notFound()
  const { fetchedMs, ...page } = found
  return { ...page, fetchedAt: new Date(fetchedMs) }
}
