import {
  type Article,
  type ArticleArgs,
  type ArticleWithText,
  article,
  articles,
} from '../../resolvers/articles/articles.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { pageArgs, projectArgs } from '../kit/args.ts'
import { readOfProject, readProject, scopeOf } from '../kit/authorize.ts'
import { builder, report } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { reportFields } from '../kit/report-fields.ts'
import { articleFields } from './fields.ts'

type List = Awaited<ReturnType<typeof articles>>

const articleRow = builder.objectRef<Article>('Article').implement({
  description: 'A content piece.',
  interfaces: [articleFields],
})

const articleWithText = builder.objectRef<ArticleWithText>('ArticleWithText').implement({
  description: 'A content piece with its text.',
  interfaces: [articleFields],
  fields: (t) => ({
    content: t.exposeString('content', { description: 'The text, as it was imported.' }),
  }),
})

const summary = builder.objectRef<List['summary']>('ArticleSummary').implement({
  description: 'The content pieces that the filters leave, on all pages.',
  fields: (t) => ({
    total: t.expose('total', { type: 'SafeInt', description: 'How many there are.' }),
    byStatus: t.field({
      type: 'JSON',
      view: 'rest',
      json: countMapSchema,
      description: 'How many have each status.',
      resolve: ({ counts }) => countMap(counts),
    }),
    statusCounts: t.expose('counts', {
      type: [keyCount],
      view: 'graph',
      description: 'How many have each status, most first.',
    }),
  }),
})

const articleList = builder.objectRef<List & { scope: ProjectScope }>('ArticleList').implement({
  description: 'A page of content pieces.',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.expose('summary', { type: summary, description: 'Counts of all of them.' }),
    articles: t.expose('articles', {
      type: [articleRow],
      description: 'What changed last first, ties by id.',
    }),
    pagination: reportFields.pagination(t, { view: 'graph' }),
  }),
})

report('articles', {
  type: articleList,
  description:
    'Content pieces of both stores; of two with the same slug the one of the newer store counts.',
  args: {
    ...builder.args((t) => ({
      status: t.string({
        description:
          'Only those with this status, such as `draft`, `published` or `archived`, in any case; `all`, as when absent, leaves out what is archived.',
      }),
    })),
    ...pageArgs({ default: 50, max: 100 }),
  },
  resolve: async (scope, args) => ({
    scope,
    ...(await articles(scope, args as typeof args & ArticleArgs)),
  }),
})

const ids = builder.args((t) => ({
  ...projectArgs,
  articleId: t.id({ required: true, description: 'Id of the content piece.' }),
}))

const oneArticle = 'One content piece with its text.'

builder.queryField('article', (t) =>
  t.field({
    type: articleWithText,
    nullable: true,
    access: readProject,
    view: 'graph',
    description: oneArticle,
    args: ids,
    resolve: async (_root, { projectId, articleId }, context) =>
      article(await scopeOf(context, projectId), articleId),
  }),
)

builder.objectField('Project', 'article', (t) =>
  t.field({
    type: articleWithText,
    nullable: true,
    access: readOfProject,
    view: 'graph',
    description: oneArticle,
    args: { articleId: ids.articleId },
    resolve: (scope, { articleId }) => article(scope, articleId),
  }),
)

builder.queryField('getArticle', (t) =>
  t.field({
    type: builder.objectRef<ArticleWithText>('ArticleReply').implement({
      description: 'One content piece.',
      fields: (f) => ({
        article: f.field({ type: articleWithText, description: 'It.', resolve: (row) => row }),
      }),
    }),
    access: readProject,
    view: 'rest',
    description: oneArticle,
    args: ids,
    resolve: async (_root, { projectId, articleId }, context) =>
      article(await scopeOf(context, projectId), articleId),
  }),
)
