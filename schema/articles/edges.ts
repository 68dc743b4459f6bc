import { articlesOfPages, pagesOfArticles } from '../../resolvers/articles/edges.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { articleFields, articleRow } from './articles.ts'

builder.interfaceField(articleFields, 'page', (t) =>
  t.field({
    type: pageType,
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: 'The page of the site at the path of the content piece; null for an unknown page.',
    resolve: async (article, _args, context) => {
      const piece = { scope: await scopeOf(context, article.projectId), article }
      const id = await together(context, 'articles.page', piece, {}, pagesOfArticles)
      return id === null ? null : pageLoaders(context).page.load(id)
    },
  }),
)

builder.objectField(pageType, 'article', (t) =>
  t.field({
    type: articleRow,
    nullable: true,
    view: 'graph',
    access: readOfOwner,
    description: 'The content piece at the path of the page; null without one.',
    resolve: async ({ projectId, url }, _args, context) => {
      const page = { scope: await scopeOf(context, projectId), url }
      return together(context, 'pages.article', page, {}, articlesOfPages)
    },
  }),
)
