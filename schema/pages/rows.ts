import type { ObjectRef } from '@pothos/core'
import { pagesOfArticles } from '../../resolvers/articles/edges.ts'
import { urlOfCrawl } from '../../resolvers/traffic/edges.ts'
import { correlated } from '../correlation.ts'
import { scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder, type Types } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { attributedSessions } from '../traffic/attribution.ts'
import { trafficLog } from '../traffic/logs.ts'
import { crawledPage } from '../traffic/traffic.ts'
import { landingPage } from '../web-analytics.ts'
import { uncrawledUrl } from './coverage.ts'
import { pageLoaders } from './loaders.ts'
import { pageType } from './pages.ts'

/** Rows of reports that name a page by its path or URL lead to the page. */

/** The page at a path. All rows of a request take one statement. */
async function pageAtPath(context: Context, projectId: string, path: string) {
  const place = { scope: await scopeOf(context, projectId), article: { urlPath: path } }
  const id = await together(context, 'pages.at-path', place, {}, pagesOfArticles)
  return id === null ? null : pageLoaders(context).page.load(id)
}

function leadToPage<Row extends { readonly projectId: string }>(
  row: ObjectRef<Types, Row>,
  pathIn: (row: Row) => string | null,
  description: string,
): void {
  builder.objectField(row, 'page', (t) =>
    t.field({
      type: pageType,
      nullable: true,
      view: 'graph',
      description,
      resolve: (found, _args, context) => {
        const path = pathIn(found)
        return path === null ? null : pageAtPath(context, found.projectId, path)
      },
    }),
  )
}

const atPath = "The site's page at the path; null for an unknown page."

leadToPage(crawledPage, ({ path }) => path, atPath)
leadToPage(
  correlated,
  ({ groupBy, key }) => (groupBy === 'path' ? key : null),
  `${atPath} Null unless rows are grouped by path.`,
)
leadToPage(
  attributedSessions,
  ({ landingPath }) => landingPath,
  `${atPath} Null without a landing path.`,
)

builder.objectField(landingPage, 'page', (t) =>
  t.field({
    type: pageType,
    nullable: true,
    view: 'graph',
    description: atPath,
    resolve: (found, _args, context) => pageAtPath(context, found.projectId, found.path),
  }),
)

builder.objectField(trafficLog, 'page', (t) =>
  t.field({
    type: pageType,
    nullable: true,
    view: 'graph',
    description:
      'The known page of the site at this host and path; null for an unknown host or page.',
    resolve: (hit, _args, context) => {
      const url = hit.host ? urlOfCrawl(hit) : null
      return url === null
        ? null
        : pageLoaders(context).byUrl.load({ projectId: hit.projectId, url })
    },
  }),
)

builder.objectField(uncrawledUrl, 'page', (t) =>
  t.field({
    type: pageType,
    nullable: true,
    view: 'graph',
    description: 'The page of the site at the URL; null for an unknown page.',
    resolve: (row, _args, context) =>
      pageLoaders(context).byUrl.load({ projectId: row.projectId, url: row.url }),
  }),
)
