import { normaliseUrl } from '../../core/sites/urls.ts'
import { pagesForQueries, promptsWorded } from '../../resolvers/search-console/edges.ts'
import type { SearchRow } from '../../resolvers/search-console/search-console.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'
import { searchPage, searchQuery } from './search-console.ts'

const pagesOfQuery = connectionOf(searchPage, {
  name: 'SearchPageOfQuery',
  description: 'Pages that search results showed for one query, most clicks first.',
  isCounted: true,
})

builder.objectFields(searchQuery, (t) => ({
  pages: t.field(
    connectionField({
      type: pagesOfQuery,
      description:
        'Pages that search results showed for the query, most clicks first. None of Bing, which reports queries and pages apart.',
      size: { default: 10, max: 100 },
      idOf: ({ projectId, engine, name, window }: SearchRow) =>
        JSON.stringify([projectId, engine, name, window]),
      resolve: async ({ engine, name, window }, { limit, offset }, context, scope) => ({
        rows: await together(
          context,
          'search-console.query-pages',
          { scope, name },
          { ...window, limit, offset, engine },
          pagesForQueries,
        ),
      }),
    }),
  ),
  prompts: t.field({
    type: [promptType],
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: 'Prompts whose wording is the query, oldest first.',
    resolve: async ({ projectId, name }, _args, context) => {
      const query = { scope: await scopeOf(context, projectId), name }
      const ids = await together(context, 'search-console.query-prompts', query, {}, (queries) =>
        promptsWorded(context.services.db, queries),
      )
      const prompts = await Promise.all(ids.map((id) => promptLoaders(context).prompt.load(id)))
      return prompts.filter((prompt) => prompt !== null)
    },
  }),
}))

builder.objectField(searchPage, 'page', (t) =>
  t.field({
    type: pageType,
    nullable: true,
    view: 'graph',
    description: 'The known page of the site at the URL; null for an unknown page.',
    resolve: ({ projectId, name }, _args, context) => {
      const url = normaliseUrl(name)
      return url === null ? null : pageLoaders(context).byUrl.load({ projectId, url })
    },
  }),
)
