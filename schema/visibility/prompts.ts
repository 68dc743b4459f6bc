import { invalid } from '../../core/errors.ts'
import { rounded } from '../../core/metrics.ts'
import {
  type HeatmapCell,
  type HeatmapTopic,
  promptHistory,
  promptRankings,
  type RankedPrompt,
  topicHeatmap,
} from '../../resolvers/visibility/prompts.ts'
import { score } from '../../resolvers/visibility/tallies.ts'
import type { DayRow } from '../../resolvers/visibility/visibility.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { loaders } from '../kit/context.ts'
import { reportFields } from '../kit/report-fields.ts'
import { meaning, rowParts } from './metrics.ts'
import { reader } from './reader.ts'

const rankedPrompt = builder.objectRef<RankedPrompt>('RankedPrompt').implement({
  description: 'The place of a prompt among the prompts of a topic.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      promptId: t.exposeID('promptId', { description: 'UUID.' }),
      text: t.exposeString('text', { description: 'Its wording.' }),
      rank: t.expose('rank', { type: 'SafeInt', description: 'Its place by score, from 1.' }),
      previousRank: t.expose('previousRank', {
        type: 'SafeInt',
        nullable: true,
        description: 'Its place in the equal window just before; null without answers there.',
      }),
      rankChange: t.expose('rankChange', {
        type: 'SafeInt',
        nullable: true,
        description: 'Places won since; negative when lost, null without a place before.',
      }),
      visibilityScore: parts.score(),
      metrics: parts.metrics(),
    }
  },
})

const rankingsReport = builder
  .objectRef<Awaited<ReturnType<typeof promptRankings>>>('PromptRankings')
  .implement({
    description: "The places of a topic's prompts.",
    fields: (t) => ({
      project: reportFields.project(t),
      prompts: t.field({
        type: [rankedPrompt],
        description: 'Prompts of the topic that have answers, best score first, ties by id.',
        resolve: (report) => report.prompts,
      }),
      dateRange: reportFields.dateRange(t),
    }),
  })

const heatmapCell = builder.objectRef<HeatmapCell>('HeatmapCell').implement({
  description: 'How visible the brand is in the answers of one platform to the prompts of a topic.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      platform: t.exposeString('platform', { description: 'Its id, such as `chatgpt`.' }),
      visibilityScore: t.float({
        nullable: true,
        description: `${meaning.score} Null without answers.`,
        resolve: ({ tally }) => rounded(score(tally)),
      }),
      totalResponses: parts.responses(),
      metrics: parts.metrics(),
    }
  },
})

const heatmapTopic = builder.objectRef<HeatmapTopic>('HeatmapTopic').implement({
  description: 'A row of the heatmap.',
  fields: (t) => ({
    topicId: t.exposeID('topicId', { description: 'UUID.' }),
    topicName: t.exposeString('topicName', { description: 'Its name.' }),
    cells: t.field({
      type: [heatmapCell],
      description: 'One for each of `platforms`, in that order.',
      resolve: (topic) => topic.cells,
    }),
  }),
})

const heatmapReport = builder
  .objectRef<Awaited<ReturnType<typeof topicHeatmap>>>('TopicHeatmap')
  .implement({
    description: 'How visible the brand is by topic and AI platform.',
    fields: (t) => ({
      project: reportFields.project(t),
      platforms: t.stringList({
        description: 'Ids of the platforms that have answers in the window.',
        resolve: (report) => report.platforms,
      }),
      topics: t.field({
        type: [heatmapTopic],
        description: 'All topics, by name.',
        resolve: (report) => report.topics,
      }),
      dateRange: reportFields.dateRange(t),
    }),
  })

const promptDay = builder.objectRef<DayRow>('PromptHistoryPoint').implement({
  description: 'How visible the brand was on one day in the answers to one prompt.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
      visibilityScore: parts.score(),
      averagePosition: parts.position(),
      totalResponses: parts.responses(),
      metrics: parts.metrics(),
    }
  },
})

const promptHistoryReport = builder
  .objectRef<Awaited<ReturnType<typeof promptHistory>>>('PromptHistory')
  .implement({
    description: 'How visible the brand was from day to day in the answers to one prompt.',
    fields: (t) => ({
      project: reportFields.project(t),
      promptId: t.exposeID('promptId', { description: 'UUID.' }),
      history: t.field({
        type: [promptDay],
        description: 'Days that have answers, oldest first.',
        resolve: (report) => report.history,
      }),
      dateRange: reportFields.dateRange(t),
    }),
  })

const ids = builder.args((t) => ({
  topicId: t.id({ required: true, description: 'Id of the topic.' }),
  promptId: t.id({ required: true, description: 'Id of the prompt.' }),
}))

// A client that filters by platform here would take the whole heatmap for the filtered one.
const refusedArgs = builder.args((t) => ({
  platform: t.stringList({
    description: 'Not accepted: the heatmap has a column for each platform.',
    extensions: { view: 'rest', param: { list: true, refused: true } },
  }),
}))

report('promptRankings', {
  type: rankingsReport,
  description: "The places of a topic's prompts by visibility, and how they changed.",
  args: { ...windowArgs, topicId: ids.topicId, platform: filterArgs.platform },
  resolve: (scope, args, context) =>
    promptRankings(scope, args, reader(scope, context), (id) =>
      loaders(context).topicPrompts.load(id),
    ),
})

report('topicHeatmap', {
  type: heatmapReport,
  description: 'How visible the brand is by topic and AI platform.',
  args: { ...windowArgs, ...refusedArgs },
  resolve: (scope, { platform, ...args }, context) => {
    if (platform != null) {
      throw invalid('platform', 'is not accepted here: the heatmap shows every platform')
    }
    return topicHeatmap(scope, args, reader(scope, context), (id) =>
      loaders(context).topicPrompts.load(id),
    )
  },
})

report('promptHistory', {
  type: promptHistoryReport,
  description: 'How visible the brand was from day to day in the answers to one prompt.',
  args: { ...windowArgs, promptId: ids.promptId, platform: filterArgs.platform },
  resolve: (scope, args, context) => promptHistory(scope, args, reader(scope, context)),
})
