import { type PageContent, sourceContent } from '../../resolvers/sources/content.ts'
import { builder, report } from '../kit/builder.ts'

report('sourceContent', {
  type: builder.objectRef<PageContent>('SourceContent').implement({
    description: 'The text of a cited page, as it was fetched.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Its normalised URL.' }),
      title: t.exposeString('title', { description: 'Its title; empty where it has none.' }),
      content: t.exposeString('content', { description: 'Its text.' }),
      fetchedAt: t.expose('fetchedAt', { type: 'DateTime', description: 'When it was fetched.' }),
    }),
  }),
  description: 'The cached text of one cited page; `not_found` where there is none.',
  problems: ['query_timeout'],
  args: builder.args((t) => ({
    url: t.string({
      required: true,
      description: 'The page: an http or https URL, which is normalised as those of citations are.',
    }),
  })),
  resolve: sourceContent,
})
