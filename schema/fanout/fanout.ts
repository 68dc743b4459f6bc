import { rounded, roundedOrZero } from '../../core/metrics.ts'
import {
  type FanoutArgs,
  type FanoutCounts,
  type FanoutModel,
  type FanoutPrompt,
  type FanoutQuery,
  type FanoutReport,
  fanoutRate,
  fanoutWindow,
  type PromptFanoutArgs,
  type PromptFanoutQuery,
  promptFanout,
  queriesPerResponse,
  queryFanout,
} from '../../resolvers/fanout/fanout.ts'
import { filterArgs, inGraph, pageArgs, windowArgsOf } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { listOf } from '../kit/lists/connection.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'

const fanoutArgs = { ...windowArgsOf(fanoutWindow), ...pageArgs({ default: 50, max: 50 }) }

const meaning = {
  query: 'Text of the sub-query in its most frequent spelling.',
  count: 'Searches for the sub-query, whatever its case and spaces.',
  queries: 'Sub-queries in the window, repeats included.',
  average: 'Mean number of sub-queries per answer that has sub-queries.',
}

const promptQuery = builder.objectRef<PromptFanoutQuery>('PromptFanoutQuery').implement({
  description: 'A sub-query that AI platforms searched for before they answered one prompt.',
  fields: (t) => ({
    query: t.exposeString('query', { description: meaning.query }),
    count: t.expose('repeats', { type: 'Int', description: meaning.count }),
    lastSeen: t.field({
      type: 'DateTime',
      description: 'Time of the newest answer in the window that has the sub-query.',
      resolve: ({ lastSeenMs }) => new Date(lastSeenMs),
    }),
  }),
})

report('promptFanout', {
  view: 'rest',
  ...listOf(
    builder.objectRef<Awaited<ReturnType<typeof promptFanout>>>('PromptFanout'),
    promptQuery,
    {
      description: 'Sub-queries that AI platforms searched for before they answered one prompt.',
      rows: 'queries',
      fields: (t) => ({
        project: reportFields.project(t),
        promptId: t.exposeID('promptId', { description: 'UUID of the prompt.' }),
        queries: t.expose('queries', {
          type: [promptQuery],
          description: 'Sub-queries, most searches first.',
        }),
        pagination: reportFields.pagination(t),
        ...reportFields.window(t),
      }),
    },
  ),
  description:
    'Sub-queries that AI platforms searched for before they answered one prompt. Needs a plan with query fanout.',
  problems: ['plan_upgrade_required'],
  args: {
    promptId: builder.args((t) => ({
      promptId: t.id({ required: true, description: 'Id of the prompt.' }),
    })).promptId,
    ...fanoutArgs,
  },
  resolve: (scope, args) => promptFanout(scope, args as typeof args & PromptFanoutArgs),
})

const countMetrics = metricsType<FanoutCounts>(
  'FanoutMetrics',
  'Sub-query ratios with their numerators and denominators.',
  {
    queriesPerAnswer: {
      description: meaning.average,
      measure: 'searches',
      resolve: queriesPerResponse,
    },
  },
)

type Summary = FanoutCounts & { readonly prompts: number }

const summary = builder.objectRef<Summary>('FanoutSummary').implement({
  description: 'Numbers of the sub-queries of all prompts in the window.',
  fields: (t) => ({
    totalPrompts: t.expose('prompts', {
      graphName: 'promptCount',
      type: 'Int',
      description: 'Prompts that led to sub-queries.',
    }),
    totalQueries: t.expose('queries', {
      graphName: 'queryCount',
      type: 'Int',
      description: meaning.queries,
    }),
    avgQueriesPerResponse: t.float({
      graphName: 'queriesPerAnswer',
      nullable: true,
      description: `${meaning.average} Null without sub-queries.`,
      resolve: (counts) => rounded(queriesPerResponse(counts)),
    }),
    metrics: metricsField(t, countMetrics, (counts) => counts),
  }),
})

export const topQuery = builder.objectRef<FanoutQuery>('FanoutQuery').implement({
  description: 'A sub-query that AI platforms searched for.',
  fields: (t) => ({
    query: t.exposeString('query', { description: meaning.query }),
    count: t.expose('repeats', { type: 'Int', description: meaning.count }),
    promptsCount: t.expose('promptsCount', {
      graphName: 'promptCount',
      type: 'Int',
      description: 'Distinct prompts that led to the sub-query.',
    }),
    lastSeenOn: t.expose('lastSeenOn', {
      type: 'Date',
      nullable: true,
      view: 'graph',
      description: 'UTC day of the newest answer with the sub-query; null without one.',
    }),
  }),
})

export const promptRow = builder.objectRef<FanoutPrompt>('FanoutPrompt').implement({
  description: 'Numbers of the sub-queries of one prompt.',
  fields: (t) => ({
    promptId: t.exposeID('promptId', { view: 'rest', description: 'UUID of the prompt.' }),
    text: t.exposeString('text', { view: 'rest', description: 'Current wording of the prompt.' }),
    totalQueries: t.expose('queries', {
      graphName: 'queryCount',
      type: 'Int',
      description: meaning.queries,
    }),
    uniqueQueries: t.expose('uniqueQueries', {
      graphName: 'uniqueQueryCount',
      type: 'Int',
      description: 'Distinct sub-queries, regardless of case and Unicode form.',
    }),
    avgQueriesPerResponse: t.float({
      graphName: 'queriesPerAnswer',
      description: meaning.average,
      resolve: (counts) => roundedOrZero(queriesPerResponse(counts)),
    }),
    metrics: metricsField(t, countMetrics, (counts) => counts),
  }),
})

const modelMetrics = metricsType<FanoutModel>(
  'FanoutModelMetrics',
  'Sub-query ratios of a model with their numerators and denominators.',
  {
    fanoutRate: {
      description: "Percent of the model's answers in the window that have sub-queries.",
      measure: 'searched',
      resolve: fanoutRate,
    },
    queriesPerAnswer: {
      description: meaning.average,
      measure: 'searches',
      resolve: ({ queries, responsesWithFanout: answers }) =>
        queriesPerResponse({ queries, answers }),
    },
  },
)

const modelRow = builder.objectRef<FanoutModel>('FanoutModel').implement({
  description: 'Numbers of the sub-queries of one model.',
  fields: (t) => ({
    model: t.exposeString('modelName', {
      description: 'Raw model id, or the id of the AI platform when the answers name no model.',
    }),
    responses: t.expose('responses', {
      graphName: 'answerCount',
      type: 'Int',
      description: "Number of the model's answers in the window.",
    }),
    responsesWithFanout: t.expose('responsesWithFanout', {
      graphName: 'answersWithFanout',
      type: 'Int',
      description: "Number of the model's answers in the window that have sub-queries.",
    }),
    totalQueries: t.expose('queries', {
      graphName: 'queryCount',
      type: 'Int',
      description: meaning.queries,
    }),
    metrics: metricsField(t, modelMetrics, (row) => row),
  }),
})

const fanoutReport = listOf(builder.objectRef<FanoutReport>('QueryFanout'), promptRow, {
  rows: 'prompts',
  total: async (it) => (await it.page()).total,
  description: 'Sub-queries that AI platforms searched for before they answered.',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.field({
      type: summary,
      description: 'Numbers of all prompts in the window.',
      resolve: async (it) => {
        const { counts, total } = await it.page()
        return { ...counts, prompts: total }
      },
    }),
    topQueries: t.field({
      type: [topQuery],
      description: 'Sub-queries with most searches first.',
      resolve: async (it) => [...(await it.topQueries())],
    }),
    prompts: t.field({
      type: [promptRow],
      description: 'A page of prompts that led to sub-queries, most sub-queries first.',
      resolve: (it) => it.prompts(),
    }),
    modelStats: t.field({
      type: [modelRow],
      description: 'Every model that answered in the window, most sub-queries first.',
      resolve: (it) => it.models(),
    }),
    pagination: reportFields.pagination(t, {
      description: 'The position of the page in the list of prompts.',
    }),
    ...reportFields.window(t),
  }),
})

const args = builder.args((t) => ({
  topQueriesLimit: t.field({
    type: 'Int',
    description: 'Rows of `topQueries`; 50 unless given, 200 at most (more is clamped).',
    extensions: { param: { min: 1, max: 200, clamp: true, default: 50 } },
  }),
  topicId: t.id({ description: 'Only answers to prompts of this topic.' }),
}))

report('queryFanout', {
  ...fanoutReport,
  description: 'Sub-queries that AI platforms searched for. Needs a plan with query fanout.',
  problems: ['plan_upgrade_required'],
  args: {
    ...fanoutArgs,
    topQueriesLimit: args.topQueriesLimit,
    platform: filterArgs.platform,
    ...inGraph({ topicId: args.topicId }, { filter: 'topicIds', input: 'FanoutFilter' }),
    unbranded: filterArgs.unbranded,
    branded: filterArgs.branded,
    country: filterArgs.country,
    locationId: filterArgs.locationId,
    obtained: filterArgs.obtained,
  },
  resolve: (scope, given) => queryFanout(scope, given as typeof given & FanoutArgs),
})
