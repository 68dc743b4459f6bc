import { groupings } from '../../resolvers/traffic/traffic.ts'
import { builder } from '../kit/builder.ts'

export const trafficGrouping = builder.enumType('TrafficGrouping', {
  description: 'What crawls are counted by.',
  values: {
    platform: { description: 'The AI platform that the crawler serves.' },
    botCategory: { description: 'What the crawler reads pages for.' },
    botName: { description: 'The crawler itself.' },
  },
})

const args = builder.args((t) => ({
  host: t.stringList({
    description: 'Only these hosts, such as `www.example.com`, in any case.',
    extensions: { param: { list: true } },
  }),
  // A REST client names what it wants; a GraphQL client selects it, and has no such argument.
  groupBy: t.field({
    type: trafficGrouping,
    defaultValue: null,
    description: `What crawls are counted by: ${groupings.join(', ')}.`,
    extensions: { view: 'rest', param: { values: groupings } },
  }),
}))

export const hostArg = args.host

/** In REST null when it is not given; in GraphQL, where it cannot be given, undefined. */
export const groupByArg = args.groupBy
