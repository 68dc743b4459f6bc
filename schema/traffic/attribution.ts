import {
  type AttributedSessions,
  attributionGroupings,
  type TrafficAttribution,
  trafficAttribution,
} from '../../resolvers/traffic/referrals.ts'
import { windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { hostArg } from './crawlers.ts'

const grouping = builder.enumType('AttributionGrouping', {
  description: 'Key by which sessions from AI assistants are counted.',
  values: {
    platform: { description: 'By the AI platform that sent the sessions.' },
    landingPath: { description: 'By the path of the page on which the sessions began.' },
  },
})

export const attributedSessions = builder
  .objectRef<AttributedSessions>('AttributedSessions')
  .implement({
    description: 'Sessions from AI assistants with the same platform and landing path.',
    fields: (t) => ({
      platformId: t.exposeString('platform', {
        view: 'rest',
        restName: 'platform',
        nullable: true,
        description: 'Id of the AI platform; null for rows by landing path alone.',
      }),
      landingPath: t.exposeString('landingPath', {
        nullable: true,
        description: 'Path where the sessions began. Null when unknown, and for rows by platform.',
      }),
      sessions: t.expose('sessions', {
        type: 'Int',
        description: 'Sessions that AI assistants sent.',
      }),
      conversions: t.exposeFloat('conversions', {
        nullable: true,
        description: 'Key events in the sessions; null when web analytics reports no key events.',
      }),
    }),
  })

const { groupBy } = builder.args((t) => ({
  groupBy: t.field({
    type: grouping,
    description: 'Key by which sessions are counted; both keys unless given.',
    extensions: {
      param: { values: attributionGroupings },
      restDescription: `Key by which sessions are counted: ${attributionGroupings.join(' or ')}; default both.`,
    },
  }),
}))

report('trafficAttribution', {
  type: builder.objectRef<TrafficAttribution>('TrafficAttribution').implement({
    description: 'Sessions that AI assistants sent, with their key events.',
    fields: (t) => ({
      rows: t.field({
        type: [attributedSessions],
        resolve: (it) => [...it.rows],
        description: 'At most 1,000 rows, most sessions first, ties by platform and path.',
      }),
      ...reportFields.window(t, 'sessions'),
    }),
  }),
  description: 'Sessions that AI assistants sent, by platform and landing page.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, host: hostArg, groupBy },
  resolve: trafficAttribution,
})
