import {
  visibilityByLocation,
  visibilityByPrompt,
  visibilityByTopic,
  visibilityHistory,
} from '../../resolvers/visibility/lists.ts'
import { visibility, visibilityByPlatform } from '../../resolvers/visibility/visibility.ts'
import { compareArgs, filterArgs, pageArgs, windowArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import {
  historyReport,
  locationReport,
  platformReport,
  promptReport,
  topicReport,
} from './lists.ts'
import { reader } from './reader.ts'
import { visibilityReport } from './summary.ts'

const scoped = { ...windowArgs, ...filterArgs }

// A REST client names what it wants beside the summary; a GraphQL client selects it.
const includeArgs = builder.args((t) => ({
  include: t.stringList({
    description: 'What to add: `industryRanking`.',
    defaultValue: [],
    extensions: { view: 'rest', param: { values: ['industryRanking'], list: true } },
  }),
}))

report('visibility', {
  type: visibilityReport,
  description: 'How visible the brand is in the answers of AI assistants.',
  args: { ...scoped, ...compareArgs, ...includeArgs },
  resolve: async (scope, args, context) => ({
    ...(await visibility(scope, args, reader(scope, context))),
    isRanked: args.include == null || args.include.includes('industryRanking'),
  }),
})

report('visibilityHistory', {
  type: historyReport,
  description: 'How visible the brand was from day to day.',
  args: scoped,
  resolve: (scope, args, context) => visibilityHistory(scope, args, reader(scope, context)),
})

report('visibilityByTopic', {
  type: topicReport,
  description: 'How visible the brand is by topic.',
  args: { ...scoped, ...compareArgs },
  resolve: (scope, args, context) =>
    visibilityByTopic(scope, args, reader(scope, context), (id) =>
      loaders(context).topicPrompts.load(id),
    ),
})

report('visibilityByPrompt', {
  type: promptReport,
  description: 'How visible the brand is by prompt.',
  args: { ...scoped, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => visibilityByPrompt(scope, args as typeof args & Page),
})

report('visibilityByLocation', {
  type: locationReport,
  description: 'How visible the brand is by tracked location.',
  args: scoped,
  resolve: (scope, args, context) =>
    visibilityByLocation(scope, args, reader(scope, context), (id) =>
      loaders(context).locations.load(id),
    ),
})

report('visibilityByPlatform', {
  type: platformReport,
  description: 'How visible the brand is by AI platform.',
  args: scoped,
  resolve: (scope, args, context) => visibilityByPlatform(scope, args, reader(scope, context)),
})

/** What the argument rules guarantee once defaults are filled in. */
interface Page {
  limit: number
  offset: number
}
