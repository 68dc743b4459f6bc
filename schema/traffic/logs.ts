import type { TrafficListArgs } from '../../resolvers/traffic/crawls.ts'
import { type TrafficLog, type TrafficLogPage, trafficLogs } from '../../resolvers/traffic/logs.ts'
import { pageArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { listOf } from '../kit/lists/connection.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { botCategory, logArgs, meaningOfBot, verification } from './crawlers.ts'

export const trafficLog = builder.objectRef<TrafficLog>('CrawlerHit').implement({
  extensions: { restName: 'TrafficLog' },
  description: 'One crawler hit, without IP address and user agent.',
  fields: (t) => ({
    timestamp: t.field({
      graphName: 'at',
      type: 'DateTime',
      description: 'Time of the hit.',
      resolve: ({ atMs }) => new Date(atMs),
    }),
    method: t.exposeString('method', { description: 'HTTP method of the hit.' }),
    host: t.string({
      nullable: true,
      description: 'Requested host in lower case; null when unknown.',
      resolve: ({ host }) => host || null,
    }),
    path: t.exposeString('path', { description: 'Requested path, without a query string.' }),
    statusCode: t.expose('statusCode', {
      type: 'Int',
      description: 'HTTP status of the response.',
    }),
    responseTimeMs: t.expose('responseTimeMs', {
      type: 'SafeInt',
      description: 'Time that the server took to respond, in milliseconds.',
    }),
    botName: t.exposeString('botName', { description: meaningOfBot.botName }),
    botVendor: t.exposeString('botVendor', { description: meaningOfBot.botVendor }),
    botCategory: t.expose('botCategory', {
      type: botCategory,
      description: meaningOfBot.botCategory,
    }),
    verification: t.expose('proof', {
      type: verification,
      view: 'graph',
      description: 'What the address of the hit, or a signature, proves of the crawler.',
    }),
    country: t.string({
      nullable: true,
      description: 'ISO 3166-1 alpha-2 code of the country of origin; null when unknown.',
      resolve: ({ country }) => country || null,
    }),
    referrerDomain: t.string({
      nullable: true,
      description: 'Registrable domain of the referring page; null without a referrer.',
      resolve: ({ referrerDomain }) => referrerDomain || null,
    }),
  }),
})

report('trafficLogs', {
  graphName: 'crawlerHits',
  ...listOf(builder.objectRef<TrafficLogPage>('TrafficLogList'), trafficLog, {
    description: 'A page of single crawler hits, newest first.',
    rows: 'logs',
    fields: (t) => ({
      logs: t.expose('logs', { type: [trafficLog], description: 'Crawler hits, newest first.' }),
      pagination: reportFields.pagination(t, {
        description: 'Where the page begins and ends. New hits shift later pages.',
      }),
      ...reportFields.window(t, 'crawls'),
    }),
  }),
  description: 'Single crawler hits, newest first.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, ...logArgs, ...pageArgs({ default: 25, max: 100 }) },
  resolve: (scope, args) => trafficLogs(scope, args as typeof args & TrafficListArgs),
})
