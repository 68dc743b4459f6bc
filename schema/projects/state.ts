import { hasTrafficSource, type ProjectRecord } from '../../resolvers/projects/projects.ts'
import { builder } from '../kit/builder.ts'

export const projectKind = builder.enumType('ProjectKind', {
  description: 'A regular project, or a pitch: scoped, before conversion.',
  values: {
    regular: { description: 'A brand that is tracked for good.' },
    pitch: { description: 'A scoped trial; some features are refused.' },
  },
})

export const projectStatus = builder.enumType('ProjectStatus', {
  description: 'Paused and archived projects answer reads but run no background work.',
  values: {
    active: { description: 'Tracked.' },
    paused: { description: 'Tracking rests.' },
    archived: { description: 'Kept to be read.' },
  },
})

const sitemapStatus = builder.enumType('SitemapStatus', {
  description: 'State of the sitemap sync.',
  values: {
    idle: { description: 'Nothing runs.' },
    queued: { description: 'A sync waits.' },
    running: { description: 'A sync runs.' },
    failed: { description: 'The last sync failed.' },
  },
})

const connected = (kind: string) => (project: ProjectRecord) => project.connections.includes(kind)

export const integrationsBlock = builder.objectRef<ProjectRecord>('Integrations').implement({
  description: 'Which sources of data are connected.',
  fields: (t) => ({
    searchConsole: t.boolean({
      description: 'A Search Console site is linked.',
      resolve: connected('searchConsole'),
    }),
    webAnalytics: t.boolean({
      description: 'A web-analytics property is linked.',
      resolve: connected('webAnalytics'),
    }),
    traffic: t.boolean({
      description: 'A tracker, CDN or log source is connected.',
      resolve: hasTrafficSource,
    }),
  }),
})

export const sitemapBlock = builder.objectRef<ProjectRecord>('Sitemap').implement({
  description: 'State of the sitemap sync.',
  fields: (t) => ({
    status: t.field({
      type: sitemapStatus,
      description: 'What the sync does now.',
      resolve: (project) => project.sitemapStatus,
    }),
    jobId: t.id({
      nullable: true,
      description: 'The last sync, null before the first.',
      resolve: (project) => project.sitemapJobId,
    }),
    lastRefreshedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a sync last succeeded.',
      resolve: (project) => project.sitemapRefreshedAt,
    }),
  }),
})
