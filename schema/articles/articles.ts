import {
  type Article,
  type ArticleArgs,
  type ArticleWithText,
  article,
  articles,
} from '../../resolvers/articles/articles.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { inGraph, pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { wordsOf } from '../kit/words.ts'

const articleStore = wordsOf('ArticleStore', 'The store of a content piece.', {
  'content-v2': 'The newer store. Its piece counts where both have the same slug.',
  legacy: 'The older store.',
})

/** A text that an import may leave out. */
const orNull = (description: string) => ({
  nullable: true as const,
  description: `${description} Null where the import has none.`,
  restDescription: description,
})

export const articleFields = builder.interfaceRef<Article>('ArticleFields').implement({
  description: 'Fields of a content piece that a list of pieces shows too.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the content piece.' }),
    title: t.exposeString('title', { description: 'Title of the content piece.' }),
    slug: t.exposeString('slug', {
      description: 'Slug: the name of the content piece within its store.',
    }),
    urlPath: t.exposeString('urlPath', { description: 'Path of the content piece on the site.' }),
    status: t.exposeString('status', {
      description: 'Status of the content piece, such as `draft`, `published` or `archived`.',
    }),
    type: t.exposeString('type', { description: 'Kind of content piece.' }),
    topic: t.exposeString('topic', {
      ...orNull('Subject of the content piece.'),
    }),
    targetKeyword: t.exposeString('targetKeyword', {
      ...orNull('Main search query that the content piece targets.'),
    }),
    keywords: t.stringList({
      description: 'Other search queries that the content piece targets.',
      resolve: ({ keywords }) => [...keywords],
    }),
    wordCount: t.expose('wordCount', {
      type: 'Int',
      description: 'Words in the text.',
    }),
    readTime: t.expose('readTime', {
      type: 'Int',
      description: 'Reading time in minutes, at 200 words per minute, rounded up.',
    }),
    metaDescription: t.exposeString('metaDescription', {
      ...orNull('Description of the content piece for search engines.'),
    }),
    ogImage: t.exposeString('ogImage', {
      ...orNull('URL of the image that social networks show.'),
    }),
    visibility: t.exposeString('visibility', {
      description: 'Audience of the content piece, such as `public`.',
    }),
    isPillar: t.exposeBoolean('isPillar', {
      description: 'Whether other content pieces are grouped around this piece.',
    }),
    aiReadinessScore: t.exposeFloat('aiReadinessScore', {
      nullable: true,
      description: 'How well AI assistants can read the piece, 0 to 100; null when not measured.',
    }),
    tags: t.stringList({
      description: 'Tags of the content piece.',
      resolve: ({ tags }) => [...tags],
    }),
    source: t.field({
      type: articleStore,
      resolve: ({ source }) => articleStore.of(source),
      description: 'Store of the content piece.',
      restDescription: 'Store of the content piece: `content-v2`, which is newer, or `legacy`.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the content piece was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when the content piece last changed.',
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the content piece was published; null until then.',
    }),
  }),
})

type List = Awaited<ReturnType<typeof articles>>

export const articleRow = builder.objectRef<Article>('Article').implement({
  description: 'A content piece.',
  interfaces: [articleFields],
})

const articleWithText = builder.objectRef<ArticleWithText>('ArticleWithText').implement({
  description: 'A content piece with its text.',
  interfaces: [articleFields],
  fields: (t) => ({
    content: t.exposeString('content', { description: 'Text of the content piece, as imported.' }),
  }),
})

const summary = builder.objectRef<List['summary']>('ArticleSummary').implement({
  description: 'Counts of all content pieces that match the filters.',
  fields: (t) => ({
    total: t.expose('total', {
      type: 'Int',
      description: 'Content pieces that match the filters.',
    }),
    byStatus: t.field({
      type: 'JSON',
      view: 'rest',
      json: countMapSchema,
      description: 'Content pieces by status.',
      resolve: ({ counts }) => countMap(counts),
    }),
    statusCounts: t.expose('counts', {
      type: [keyCount],
      view: 'graph',
      description: 'Content pieces by status, most first.',
    }),
  }),
})

const articleList = listOf(
  builder.objectRef<List & { scope: ProjectScope }>('ArticleList'),
  articleRow,
  {
    description: 'A page of content pieces, last changed first.',
    rows: 'articles',
    sortKey: ({ updatedAt, id }) => [updatedAt.toISOString(), id],
    fields: (t) => ({
      project: reportFields.project(t),
      summary: t.expose('summary', {
        type: summary,
        description: 'Counts of all content pieces that match the filters.',
      }),
      articles: t.expose('articles', {
        type: [articleRow],
        description: 'Content pieces of this page, last changed first.',
      }),
      pagination: reportFields.pagination(t, { view: 'graph' }),
    }),
  },
)

const narrowing = builder.args((t) => ({
  status: t.string({
    description:
      'Only pieces with this status, such as `draft`, `published` or `archived`. Default `all`: all except archived ones.',
  }),
}))
inGraph(narrowing, { filter: 'statuses', input: 'ArticleFilter' })

filterInput('ArticleFilter', {
  rows: 'Content pieces',
  own: {
    statuses: (t) =>
      t.stringList({
        description:
          'Only pieces of these statuses, such as `draft`. Default: all except `archived`.',
      }),
  },
})

report('articles', {
  ...articleList,
  description:
    'Content pieces of both stores. For pieces of the same slug, the newer store counts.',
  args: { ...narrowing, ...pageArgs({ default: 50, max: 100 }) },
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
