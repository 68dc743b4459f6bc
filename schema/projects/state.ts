import { hasTrafficSource, type ProjectRecord } from '../../resolvers/projects/projects.ts'
import { builder } from '../kit/builder.ts'

export const projectKind = builder.enumType('ProjectKind', {
  description: 'The kind of a project: regular, or a pitch for a prospect.',
  values: {
    regular: { description: 'A brand that is tracked permanently.' },
    pitch: { description: 'A limited trial; some features are refused.' },
  },
})

export const projectStatus = builder.enumType('ProjectStatus', {
  description: 'The status of a project. Paused and archived ones run no background work.',
  values: {
    active: { description: 'The project is tracked.' },
    paused: { description: 'Tracking is paused; reads still work.' },
    archived: { description: 'The project is read-only.' },
  },
})

export const sitemapStatus = builder.enumType('SitemapStatus', {
  description: 'State of the sitemap sync.',
  values: {
    idle: { description: 'No sync runs or waits.' },
    queued: { description: 'A sync waits to start.' },
    running: { description: 'A sync runs.' },
    failed: { description: 'The last sync failed.' },
  },
})

const connected = (kind: string) => (project: ProjectRecord) => project.connections.includes(kind)

export const integrationsBlock = builder.objectRef<ProjectRecord>('Integrations').implement({
  description: 'Data sources that are connected to a project.',
  fields: (t) => ({
    searchConsole: t.boolean({
      description: 'Whether a Search Console site is linked.',
      resolve: connected('searchConsole'),
    }),
    bingWebmaster: t.boolean({
      view: 'graph',
      description: 'Whether a site of Bing Webmaster Tools is linked.',
      resolve: connected('bingWebmaster'),
    }),
    webAnalytics: t.boolean({
      description: 'Whether a web-analytics property is linked.',
      resolve: connected('webAnalytics'),
    }),
    traffic: t.boolean({
      description: 'Whether a tracker, CDN or log source is connected.',
      resolve: hasTrafficSource,
    }),
  }),
})

export const sitemapBlock = builder.objectRef<ProjectRecord>('Sitemap').implement({
  description: 'The sitemap sync of a project.',
  fields: (t) => ({
    status: t.field({
      type: sitemapStatus,
      description: 'Current state of the sync.',
      resolve: (project) => project.sitemapStatus,
    }),
    jobId: t.id({
      nullable: true,
      description: 'Id of the last sync; null before the first sync.',
      resolve: (project) => project.sitemapJobId,
    }),
    lastRefreshedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last sync that succeeded; null before the first.',
      resolve: (project) => project.sitemapRefreshedAt,
    }),
    error: t.string({
      nullable: true,
      view: 'graph',
      description: 'Why the last sync failed or was incomplete; else null.',
      resolve: (project) => project.sitemapError,
    }),
  }),
})
