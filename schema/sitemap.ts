import { z } from 'zod'
import { refreshSitemap, type SitemapJob } from '../resolvers/sitemap/refresh.ts'
import { keyedArgs, projectArgs } from './kit/args.ts'
import { scopeOf, writeProject } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { actorOf } from './kit/context.ts'
import { success } from './kit/report-fields.ts'
import { sitemapStatus } from './projects/state.ts'

const sitemapJob = builder.objectRef<SitemapJob>('SitemapJob').implement({
  description: 'A refresh of a sitemap.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the refresh: `sitemap.jobId` of the project.' }),
    status: t.field({
      type: sitemapStatus,
      description: 'State of the refresh after the request: `queued`.',
      resolve: (job) => job.status,
    }),
  }),
})

builder.mutationField('refreshSitemap', (t) =>
  t.field({
    type: builder.objectRef<SitemapJob>('SitemapRefresh').implement({
      description: 'Result of a request to refresh a sitemap.',
      fields: (f) => ({
        job: f.field({
          type: sitemapJob,
          description: 'The refresh that waits for the worker.',
          resolve: (job) => job,
        }),
        success: f.boolean(success),
      }),
    }),
    nullable: true,
    access: writeProject,
    description:
      'Has the worker read the sitemap of the site, which replaces the earlier one when it is complete.',
    body: z.object({}),
    problems: ['pitch_not_supported', 'no_domain'],
    args: { ...projectArgs, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      return refreshSitemap(context.services, actorOf(context), project.id)
    },
  }),
)
