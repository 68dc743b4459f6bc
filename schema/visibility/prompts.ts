import { invalid } from '../../core/errors.ts'
import { rounded } from '../../core/metrics.ts'
import { score } from '../../resolvers/visibility/counts.ts'
import {
  type HeatmapCell,
  type HeatmapTopic,
  promptHistory,
  promptRankings,
  type RankedPrompt,
  topicHeatmap,
} from '../../resolvers/visibility/prompts.ts'
import type { HistoryRow } from '../../resolvers/visibility/visibility.ts'
import { compareInGraph, filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { rankMeaning } from '../kit/change.ts'
import { loaders } from '../kit/context.ts'
import { listOf } from '../kit/lists/connection.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { meaningOf, rowParts, scoreChange } from './counts.ts'

export const rankedPrompt = builder.objectRef<RankedPrompt>('RankedPrompt').implement({
  description: 'The rank of a prompt among the prompts of a topic.',
  fields: (t) => {
    const parts = rowParts(t, "the prompt's answers in the window")
    return {
      promptId: t.exposeID('promptId', { view: 'rest', description: 'UUID of the prompt.' }),
      text: t.exposeString('text', { view: 'rest', description: 'Current wording of the prompt.' }),
      rank: t.expose('rank', {
        type: 'Int',
        description: 'Rank by visibility score, from 1; ties by id.',
      }),
      previousRank: t.expose('previousRank', {
        type: 'Int',
        nullable: true,
        description: 'Rank in the equal window just before; null without answers in that window.',
      }),
      rankChange: t.expose('rankChange', {
        type: 'Int',
        nullable: true,
        restDescription:
          '`previousRank` minus `rank`: above 0 it moved up. Null without `previousRank`.',
        description: `\`previousRank\` minus \`rank\`: above 0 the prompt has moved up. Null without \`previousRank\`. ${rankMeaning}`,
      }),
      visibilityScore: parts.score(),
      metrics: parts.metrics(),
    }
  },
})

const rankings = listOf(
  builder.objectRef<Awaited<ReturnType<typeof promptRankings>>>('PromptRankings'),
  rankedPrompt,
  {
    description: "Ranks of a topic's prompts by visibility score.",
    rows: 'prompts',
    isWhole: true,
    fields: (t) => ({
      project: reportFields.project(t),
      prompts: t.field({
        type: [rankedPrompt],
        description: 'Prompts of the topic that have answers, best score first.',
        resolve: (report) => report.prompts,
      }),
      ...reportFields.window(t),
    }),
  },
)

const ofCell = "the platform's answers in the window to the topic's prompts"

export const heatmapCell = builder.objectRef<HeatmapCell>('HeatmapCell').implement({
  description: 'Visibility in answers of one AI platform to prompts of one topic.',
  fields: (t) => {
    const parts = rowParts(t, ofCell)
    return {
      platformId: t.exposeString('platform', {
        view: 'rest',
        restName: 'platform',
        description: 'Id of the AI platform, such as `chatgpt`.',
      }),
      visibilityScore: t.float({
        nullable: true,
        description: `${meaningOf(ofCell).score} Null without answers.`,
        resolve: ({ counts }) => rounded(score(counts)),
      }),
      totalResponses: parts.responses(),
      change: scoreChange(t),
      metrics: parts.metrics(),
    }
  },
})

export const heatmapTopic = builder.objectRef<HeatmapTopic>('HeatmapTopic').implement({
  description: 'The row of one topic in the heatmap.',
  fields: (t) => ({
    topicId: t.exposeID('topicId', { view: 'rest', description: 'UUID of the topic.' }),
    topicName: t.exposeString('topicName', { view: 'rest', description: 'Name of the topic.' }),
    cells: t.field({
      type: [heatmapCell],
      description: 'One cell for each of `platforms`, in the same order.',
      resolve: (topic) => topic.cells,
    }),
  }),
})

export const heatmap = listOf(
  builder.objectRef<Awaited<ReturnType<typeof topicHeatmap>>>('TopicHeatmap'),
  heatmapTopic,
  {
    description: 'Visibility of the brand by topic and AI platform.',
    rows: 'topics',
    isWhole: true,
    fields: (t) => ({
      project: reportFields.project(t),
      platformIds: t.stringList({
        view: 'rest',
        restName: 'platforms',
        description:
          'Ids of the AI platforms that have answers in the window, in alphabetical order.',
        resolve: (report) => report.platforms,
      }),
      topics: t.field({
        type: [heatmapTopic],
        description: 'Topics that have answers in the window, by name.',
        resolve: (report) => report.topics,
      }),
      ...reportFields.window(t),
    }),
  },
)

const promptDay = builder.objectRef<HistoryRow>('PromptHistoryPoint').implement({
  description: 'Visibility of the brand in the answers to one prompt on one day.',
  fields: (t) => {
    const parts = rowParts(t, "the prompt's answers of the day")
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
    description: 'Visibility of the brand in the answers to one prompt, by day.',
    fields: (t) => ({
      project: reportFields.project(t),
      promptId: t.exposeID('promptId', { description: 'UUID of the prompt.' }),
      history: t.field({
        type: [promptDay],
        description: 'Days that have answers, oldest first.',
        resolve: (report) => report.history,
      }),
      ...reportFields.window(t),
    }),
  })

const ids = builder.args((t) => ({
  topicId: t.id({ required: true, description: 'Id of the topic.' }),
  promptId: t.id({ required: true, description: 'Id of the prompt.' }),
}))

// Refused rather than ignored: a client would take the whole heatmap for a filtered heatmap.
const refusedArgs = builder.args((t) => ({
  platform: t.stringList({
    description: 'Not accepted: the heatmap has a column for each platform.',
    extensions: { view: 'rest', param: { list: true, refused: true } },
  }),
}))

report('promptRankings', {
  ...rankings,
  description: "Ranks of a topic's prompts by visibility score, and their changes.",
  args: {
    ...windowArgs,
    topicId: ids.topicId,
    platform: filterArgs.platform,
    obtained: filterArgs.obtained,
  },
  resolve: (scope, args, context) =>
    promptRankings(scope, args, (id) => loaders(context).topicPrompts.load(id)),
})

report('topicHeatmap', {
  ...heatmap,
  description: 'Visibility of the brand by topic and AI platform.',
  args: {
    ...windowArgs,
    ...compareInGraph,
    ...refusedArgs,
    obtained: filterArgs.obtained,
  },
  resolve: (scope, { platform, ...args }, context) => {
    if (platform != null) {
      throw invalid('platform', 'is not accepted here: the heatmap shows every platform')
    }
    return topicHeatmap(scope, args, (id) => loaders(context).topicPrompts.load(id))
  },
})

report('promptHistory', {
  view: 'rest',
  type: promptHistoryReport,
  description: 'Visibility of the brand in the answers to one prompt, by day.',
  args: { ...windowArgs, promptId: ids.promptId, platform: filterArgs.platform },
  resolve: (scope, args) => promptHistory(scope, args),
})
