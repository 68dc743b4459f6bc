import { citedUrl } from '../../core/sites/cited-url.ts'
import { domainOf, hostOf } from '../../core/sites/urls.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { manyFactParams, manyFactsWhere } from '../shared/facts.sql.ts'
import { allRows, rowsOfMany } from '../shared/many.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import { citationsByPlatform } from './pages.sql.ts'

/** A normalised URL of the site of a project. */
export interface UrlOfProject {
  readonly scope: ProjectScope
  readonly url: string
}

interface Row {
  readonly projectId: string
  readonly url: string
  readonly platform: string
  readonly answers: number
  readonly lastDay: string
}

/** Answers that cite a page, by platform. */
export interface CitingAnswers {
  /** UTC day of the newest; null without any. */
  readonly lastCitedOn: string | null
  /** Most answers first. */
  readonly platforms: readonly Pick<Row, 'platform' | 'answers'>[]
}

const keyOf = (projectId: string, url: string) => `${projectId} ${url}`

/** Answers of the window that cite each URL. One statement reads all URLs. */
export async function citingAnswers(
  urls: readonly UrlOfProject[],
  range: DateRange,
): Promise<CitingAnswers[]> {
  const [first] = urls
  if (first === undefined) return []
  const { warehouse } = first.scope
  const scopes = scopesOf(urls)
  const wanted = [...new Set(urls.map(({ url }) => citedUrl(url) ?? url))]
  const domains = [...new Set(wanted.map((url) => domainOf(hostOf(url))))]
  const found = await rowsOfMany<Row>(scopes, {}, ({ filters, scopes: many }) =>
    run<Row>(warehouse, {
      id: 'pages.citing-answers',
      sql: citationsByPlatform(manyFactsWhere(filters, many)),
      params: { ...manyFactParams(many, range, filters), domains, urls: wanted },
    }),
  )
  const rows = allRows(found)
  const byUrl = Map.groupBy(rows, ({ projectId, url }) => keyOf(projectId, url))
  return urls.map(({ scope, url }) => {
    const platforms = byUrl.get(keyOf(scope.project.id, citedUrl(url) ?? url)) ?? []
    return {
      lastCitedOn: platforms.map(({ lastDay }) => lastDay).reduce(later, null),
      platforms,
    }
  })
}

const later = (a: string | null, b: string) => (a === null || b > a ? b : a)
