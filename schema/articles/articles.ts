import {
  type Article,
  type ArticleArgs,
  type ArticleWithText,
  article,
  articles,
} from '../../resolvers/articles/articles.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { pageArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { lookup } from '../kit/lookup.ts'
import { reportFields } from '../kit/report-fields.ts'

const articleFields = builder.interfaceRef<Article>('ArticleFields').implement({
  description: 'What a list shows of a content piece.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    title: t.exposeString('title', { description: 'Its title.' }),
    slug: t.exposeString('slug', { description: 'What names it within its store.' }),
    urlPath: t.exposeString('urlPath', { description: 'Where it stands on the site.' }),
    status: t.exposeString('status', {
      description: 'Such as `draft`, `published` or `archived`.',
    }),
    type: t.exposeString('type', { description: 'What kind of piece it is.' }),
    topic: t.exposeString('topic', { nullable: true, description: 'What it is about.' }),
    targetKeyword: t.exposeString('targetKeyword', {
      nullable: true,
      description: 'The search that it is written for.',
    }),
    keywords: t.stringList({
      description: 'Other searches that it is written for.',
      resolve: ({ keywords }) => [...keywords],
    }),
    wordCount: t.expose('wordCount', { type: 'SafeInt', description: 'Words of its text.' }),
    readTime: t.expose('readTime', {
      type: 'SafeInt',
      description: 'Minutes that reading takes, at 200 words a minute, rounded up.',
    }),
    metaDescription: t.exposeString('metaDescription', {
      nullable: true,
      description: 'Its description for search engines.',
    }),
    ogImage: t.exposeString('ogImage', {
      nullable: true,
      description: 'The image that it is shared with.',
    }),
    visibility: t.exposeString('visibility', { description: 'Who may read it, such as `public`.' }),
    isPillar: t.exposeBoolean('isPillar', {
      description: 'Whether others are grouped around it.',
    }),
    aiReadinessScore: t.exposeFloat('aiReadinessScore', {
      nullable: true,
      description: 'How well AI assistants can read it, 0 to 100; null where nobody measured.',
    }),
    tags: t.stringList({ description: 'Its tags.', resolve: ({ tags }) => [...tags] }),
    source: t.exposeString('source', {
      description: 'The store that it came from: `content-v2`, the newer one, or `legacy`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was published; null while it is not.',
    }),
  }),
})

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

lookup('article', {
  description: 'One content piece with its text.',
  id: ['articleId', 'Id of the content piece.'],
  type: articleWithText,
  rest: {
    field: 'getArticle',
    type: builder.objectRef<ArticleWithText>('ArticleReply').implement({
      description: 'One content piece.',
      fields: (t) => ({
        article: t.field({
          type: articleWithText,
          description: 'The content piece with its text.',
          resolve: (row) => row,
        }),
      }),
    }),
  },
  find: article,
})
