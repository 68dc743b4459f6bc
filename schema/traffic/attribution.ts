import {
  type AttributedSessions,
  attributionGroupings,
  type TrafficAttribution,
  trafficAttribution,
} from '../../resolvers/traffic/referrals.ts'
import { windowArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'
import { hostArg } from './args.ts'

const grouping = builder.enumType('AttributionGrouping', {
  description: 'What sessions of AI assistants are counted by.',
  values: {
    platform: { description: 'The AI platform that sent them.' },
    landingPath: { description: 'The page on which they began.' },
  },
})

const row = builder.objectRef<AttributedSessions>('AttributedSessions').implement({
  description: 'Sessions that AI assistants sent.',
  fields: (t) => ({
    platform: t.exposeString('platform', {
      nullable: true,
      description: 'Id of the AI platform; null where sessions are grouped by landing path.',
    }),
    landingPath: t.exposeString('landingPath', {
      nullable: true,
      description:
        'The page on which they began, without a query string; null where it is not known, and where sessions are grouped by platform.',
    }),
    sessions: t.expose('sessions', { type: 'SafeInt', description: 'Sessions.' }),
    conversions: t.exposeFloat('conversions', {
      nullable: true,
      description: 'Key events of these sessions; null where web analytics tells none.',
    }),
  }),
})

const { groupBy } = builder.args((t) => ({
  groupBy: t.field({
    type: grouping,
    description: `What sessions are counted by: ${attributionGroupings.join(' or ')}; both unless given.`,
    extensions: { param: { values: attributionGroupings } },
  }),
}))

report('trafficAttribution', {
  type: builder.objectRef<TrafficAttribution>('TrafficAttribution').implement({
    description: 'What came of the sessions that AI assistants sent.',
    fields: (t) => ({
      rows: t.expose('rows', {
        type: [row],
        description: 'Most sessions first, ties by platform and path; 1,000 at most.',
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description:
    'Sessions that AI assistants sent, by platform and landing page; none without web analytics.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, host: hostArg, groupBy },
  resolve: trafficAttribution,
})
