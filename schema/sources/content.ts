import { type PageContent, sourceContent } from '../../resolvers/sources/page-content.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'

export const sourceContentType = builder.objectRef<PageContent>('SourceContent').implement({
  description: 'The stored text of a cited page.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Normalised URL of the page.' }),
    title: t.exposeString('title', { description: 'Title of the page; empty without a title.' }),
    content: t.exposeString('content', { description: 'Text of the page.' }),
    fetchedAt: t.expose('fetchedAt', {
      type: 'DateTime',
      description: 'Time at which the page was fetched.',
    }),
  }),
})

report('sourceContent', {
  type: sourceContentType,
  description: 'The stored text of one cited page. `not_found` when the text is not stored.',
  problems: ['query_timeout'],
  args: builder.args((t) => ({
    url: t.string({
      required: true,
      description: 'An http or https URL of the page, normalised like the URLs of citations.',
    }),
  })),
  resolve: sourceContent,
})
