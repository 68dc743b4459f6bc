import type { loadLocations } from '../../resolvers/locations.ts'
import {
  type brandProfile,
  hasTrafficSource,
  type PlatformSummary,
  type ProjectRecord,
} from '../../resolvers/projects/projects.ts'
import type { TopicSummary } from '../../resolvers/topics/topics.ts'
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

export const planName = builder.enumType('Plan', {
  description: "A workspace's plan: its quotas and features.",
  values: {
    free: { description: 'To look around; no API keys.' },
    starter: { description: 'One brand and its rivals.' },
    growth: { description: 'Several brands, shopping and query fanout.' },
    enterprise: { description: 'Everything.' },
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

export const topicType = builder.objectRef<TopicSummary>('Topic').implement({
  description: 'A subject that prompts are sorted under.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Unique within the project.' }),
    promptCount: t.expose('promptCount', { type: 'SafeInt', description: 'Prompts of the topic.' }),
    trackedPromptCount: t.expose('trackedPromptCount', {
      type: 'SafeInt',
      description: 'Those of them that are tracked.',
    }),
  }),
})

type LocationRow = Omit<Awaited<ReturnType<typeof loadLocations>>[number][number], 'createdAt'>

export const locationType = builder.objectRef<LocationRow>('Location').implement({
  description: 'A place that answers are collected at.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    countryCode: t.exposeString('countryCode', { description: 'ISO 3166-1 alpha-2.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    region: t.exposeString('region', { nullable: true, description: 'State or region.' }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east.' }),
  }),
})

export const platformType = builder.objectRef<PlatformSummary>('Platform').implement({
  description: 'An AI assistant.',
  fields: (t) => ({
    id: t.exposeID('id', { json: { type: 'string' }, description: 'Its id, such as `chatgpt`.' }),
    displayName: t.exposeString('displayName', { description: 'Its name, such as `ChatGPT`.' }),
    aliases: t.stringList({
      description: 'Other spellings that the `platform` filter takes.',
      resolve: (platform) => [...platform.aliases],
    }),
    models: t.stringList({
      description: "Raw model ids seen in the project's answers.",
      resolve: (platform) => [...platform.models],
    }),
  }),
})

export const brandProfileType = builder
  .objectRef<ReturnType<typeof brandProfile>>('BrandProfile')
  .implement({
    description: 'What the project says of its brand.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The brand.' }),
      aliases: t.stringList({
        description: 'Other names of the brand.',
        resolve: (profile) => [...profile.aliases],
      }),
      domains: t.exposeStringList('domains', {
        description: "The brand's own registrable domains, the main one first.",
      }),
      description: t.exposeString('description', { nullable: true, description: 'In a sentence.' }),
      industry: t.exposeString('industry', { nullable: true, description: 'Its industry.' }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        description: 'When the profile last changed.',
      }),
    }),
  })

export const workspaceType = builder.prismaObject('Workspace', {
  description: 'Who the projects belong to.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    plan: t.expose('plan', { type: planName, description: 'Its plan.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})
