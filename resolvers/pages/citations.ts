import { pageKey, variantsOf } from '../../core/sites/cited-url.ts'
import { domainOf, hostOf } from '../../core/sites/urls.ts'
import type { DateRange } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { allRows, factsOf, rowsOfMany } from '../shared/many.ts'
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
  const wanted = [...new Set(urls.flatMap(({ url }) => variantsOf(url)))]
  const domains = [...new Set(wanted.map((url) => domainOf(hostOf(url))))]
  const found = await rowsOfMany<Row>(scopes, {}, (many) => {
    const { where, params } = factsOf(many, range)
    return run<Row>(warehouse, {
      id: 'pages.citing-answers',
      sql: citationsByPlatform(where),
      params: { ...params, domains, urls: wanted },
    })
  })
  const rows = allRows(found)
  const byUrl = Map.groupBy(rows, ({ projectId, url }) => keyOf(projectId, pageKey(url)))
  return urls.map(({ scope, url }) => {
    const rowsOfPage = byUrl.get(keyOf(scope.project.id, pageKey(url))) ?? []
    return {
      lastCitedOn: rowsOfPage.map(({ lastDay }) => lastDay).reduce(later, null),
      platforms: byPlatform(rowsOfPage),
    }
  })
}

/** A page that answers cite on several of its hosts has a row of each. */
function byPlatform(rows: readonly Row[]): CitingAnswers['platforms'] {
  const answers = new Map<string, number>()
  for (const row of rows) answers.set(row.platform, (answers.get(row.platform) ?? 0) + row.answers)
  return [...answers]
    .map(([platform, n]) => ({ platform, answers: n }))
    .sort((a, b) => b.answers - a.answers || (a.platform < b.platform ? -1 : 1))
}

const later = (a: string | null, b: string) => (a === null || b > a ? b : a)
