import { batched } from '../../resolvers/shared/batch.ts'
import { statusOfMany, type TrafficStatus } from '../../resolvers/traffic/status.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'

const sourceKind = builder.enumType('TrafficSourceKind', {
  description: 'How a source delivers crawler hits.',
  values: {
    tracker: { description: "The site's own servers send events." },
    cdn: { description: 'A CDN sends events.' },
    log: { description: 'Access logs are imported.' },
  },
})

const trafficSource = builder
  .objectRef<TrafficStatus['sources'][number]>('TrafficSource')
  .implement({
    description: 'A connected source of crawler hits.',
    fields: (t) => ({
      kind: t.expose('kind', {
        type: sourceKind,
        description: 'How the source delivers crawler hits.',
      }),
      host: t.exposeString('host', {
        nullable: true,
        description: 'Host of the hits that the source delivers; null for any host.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'Time at which the source was connected.',
      }),
    }),
  })

const trafficState = builder.enumType('TrafficState', {
  description: 'Whether the project receives events.',
  values: {
    waiting: { description: 'A source is connected, and no event has arrived yet.' },
    connected: { description: 'The newest event is at most 24 hours old.' },
    stale: { description: 'The newest event is older than 24 hours.' },
    not_connected: { description: 'No source is connected.' },
  },
})

report('trafficStatus', {
  type: builder.objectRef<TrafficStatus>('TrafficStatus').implement({
    description: 'Connected sources of crawler hits, and whether the project receives events.',
    fields: (t) => ({
      status: t.expose('status', {
        type: trafficState,
        description: 'Whether the project receives events.',
      }),
      sources: t.expose('sources', {
        type: [trafficSource],
        description: 'Connected sources, oldest first.',
      }),
      lastEventAt: t.expose('lastEventAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Time of the newest event of any name; null before the first event.',
      }),
    }),
  }),
  description: 'Connected sources of crawler hits, and the time of the newest event.',
  problems: ['query_timeout'],
  args: {},
  resolve: (scope, args) => batched('traffic.status', scope, args, statusOfMany),
})
