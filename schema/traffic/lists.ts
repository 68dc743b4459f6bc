import type { TrafficBot, TrafficBotPage } from '../../resolvers/traffic/bots.ts'
import type { TrafficLog, TrafficLogPage } from '../../resolvers/traffic/logs.ts'
import type { TrafficStatus } from '../../resolvers/traffic/status.ts'
import { builder } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'
import { botCategory, botFields, visitsMeaning } from './overview.ts'

const trafficBot = builder.objectRef<TrafficBot>('TrafficBot').implement({
  description: 'A crawler that came.',
  fields: (t) => ({
    ...botFields(t),
    visits: t.expose('visits', { type: 'SafeInt', description: visitsMeaning }),
    paths: t.expose('paths', { type: 'SafeInt', description: 'Distinct paths that it read.' }),
    firstSeen: t.field({
      type: 'DateTime',
      description: 'When it first came, in the window.',
      resolve: ({ firstMs }) => new Date(firstMs),
    }),
    lastSeen: t.field({
      type: 'DateTime',
      description: 'When it last came, in the window.',
      resolve: ({ lastMs }) => new Date(lastMs),
    }),
  }),
})

export const botReport = builder.objectRef<TrafficBotPage>('TrafficBotList').implement({
  description: 'A page of the crawlers that came.',
  fields: (t) => ({
    bots: t.expose('bots', {
      type: [trafficBot],
      description: 'Most crawls first, ties by name.',
    }),
    pagination: reportFields.pagination(t, {
      description: 'Where the page stands; without `totalCount`.',
    }),
    dateRange: reportFields.dateRange(t),
  }),
})

const trafficLog = builder.objectRef<TrafficLog>('TrafficLog').implement({
  description: 'One crawl. Who asked is told by its name alone: no address, no user agent.',
  fields: (t) => ({
    timestamp: t.field({
      type: 'DateTime',
      description: 'When it came.',
      resolve: ({ atMs }) => new Date(atMs),
    }),
    method: t.exposeString('method', { description: 'HTTP method.' }),
    host: t.string({
      nullable: true,
      description: 'The host that was asked, lower case; null when it was not told.',
      resolve: ({ host }) => host || null,
    }),
    path: t.exposeString('path', { description: 'The path, without a query string.' }),
    statusCode: t.expose('statusCode', { type: 'SafeInt', description: 'HTTP response status.' }),
    responseTimeMs: t.expose('responseTimeMs', {
      type: 'SafeInt',
      description: 'How long the server took, in milliseconds.',
    }),
    botName: t.exposeString('botName', { description: 'The crawler.' }),
    botVendor: t.exposeString('botVendor', { description: 'Whose crawler it is.' }),
    botCategory: t.expose('botCategory', {
      type: botCategory,
      description: 'What it reads pages for.',
    }),
    country: t.string({
      nullable: true,
      description: 'ISO 3166-1 alpha-2 of where it came from; null when it was not told.',
      resolve: ({ country }) => country || null,
    }),
    referrerDomain: t.string({
      nullable: true,
      description: 'Registrable domain of the page that led to it; null when none was told.',
      resolve: ({ referrerDomain }) => referrerDomain || null,
    }),
  }),
})

export const logReport = builder.objectRef<TrafficLogPage>('TrafficLogList').implement({
  description: 'A page of single crawls.',
  fields: (t) => ({
    logs: t.expose('logs', { type: [trafficLog], description: 'Newest first.' }),
    pagination: reportFields.pagination(t, {
      description: 'Where the page stands. Crawls that come in meanwhile shift later pages.',
    }),
    dateRange: reportFields.dateRange(t),
  }),
})

const sourceKind = builder.enumType('TrafficSourceKind', {
  description: 'How crawls come in.',
  values: {
    tracker: { description: "The site's own servers send events." },
    cdn: { description: 'A CDN sends events.' },
    log: { description: 'Access logs are imported.' },
  },
})

const trafficSource = builder
  .objectRef<TrafficStatus['sources'][number]>('TrafficSource')
  .implement({
    description: 'A connected source of crawls.',
    fields: (t) => ({
      kind: t.expose('kind', { type: sourceKind, description: 'How crawls come in.' }),
      host: t.exposeString('host', {
        nullable: true,
        description: 'The host that it is for; null when it may be any.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'When it was connected.',
      }),
    }),
  })

const trafficState = builder.enumType('TrafficState', {
  description: 'Whether crawls come in.',
  values: {
    waiting: { description: 'A source is connected, and no event has come yet.' },
    connected: { description: 'An event of the last 24 hours.' },
    stale: { description: 'The newest event is older than 24 hours.' },
    not_connected: { description: 'No source is connected.' },
  },
})

export const statusReport = builder.objectRef<TrafficStatus>('TrafficStatus').implement({
  description: 'Where crawls come from, and whether they do.',
  fields: (t) => ({
    status: t.expose('status', { type: trafficState, description: 'Whether crawls come in.' }),
    sources: t.expose('sources', { type: [trafficSource], description: 'Oldest first.' }),
    lastEventAt: t.expose('lastEventAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the newest event happened, whatever its name; null before the first.',
    }),
  }),
})
