import type { Article } from '../../resolvers/articles/articles.ts'
import { builder } from '../kit/builder.ts'

export const articleFields = builder.interfaceRef<Article>('ArticleFields').implement({
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
