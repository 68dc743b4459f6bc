import { rounded, roundedOrZero } from '../../core/metrics.ts'
import {
  type FanoutArgs,
  type FanoutModel,
  type FanoutPrompt,
  type FanoutQuery,
  type FanoutReport,
  type FanoutTally,
  fanoutRate,
  fanoutWindow,
  modelsOfMany,
  promptsOfMany,
  queriesOfMany,
  queriesPerResponse,
  queryFanout,
} from '../../resolvers/fanout/fanout.ts'
import type { FanoutAsk } from '../../resolvers/fanout/reads.ts'
import { filterArgs, windowArgsOf } from '../kit/args.ts'
import { batched } from '../kit/batch.ts'
import { builder, report } from '../kit/builder.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { reportFields } from '../kit/report-fields.ts'
import { fanoutPage, queryMeaning } from './prompt.ts'

const meaning = {
  queries: 'Sub-queries, repeats included.',
  average: 'Sub-queries per answer that has any.',
  metrics: 'The ratios with their numerators and denominators.',
}

const tallyMetrics = metricsType<FanoutTally>(
  'FanoutMetrics',
  'The ratios of a count of sub-queries.',
  {
    avgQueriesPerResponse: {
      description: meaning.average,
      resolve: queriesPerResponse,
    },
  },
)

interface Summary extends FanoutTally {
  readonly prompts: number
}

const summary = builder.objectRef<Summary>('FanoutSummary').implement({
  description: 'How much platforms search for before they answer.',
  fields: (t) => ({
    totalPrompts: t.expose('prompts', {
      type: 'SafeInt',
      description: 'Prompts that led to a sub-query.',
    }),
    totalQueries: t.expose('queries', { type: 'SafeInt', description: meaning.queries }),
    avgQueriesPerResponse: t.float({
      nullable: true,
      description: `${meaning.average} Null when none has.`,
      resolve: (tally) => rounded(queriesPerResponse(tally)),
    }),
    metrics: t.field({
      type: tallyMetrics,
      view: 'graph',
      description: meaning.metrics,
      resolve: (tally) => tally,
    }),
  }),
})

const topQuery = builder.objectRef<FanoutQuery>('FanoutQuery').implement({
  description: 'A sub-query that platforms searched for.',
  fields: (t) => ({
    query: t.exposeString('query', { description: queryMeaning.query }),
    count: t.expose('repeats', { type: 'SafeInt', description: queryMeaning.count }),
    promptsCount: t.expose('promptsCount', {
      type: 'SafeInt',
      description: 'Distinct prompts that led to it.',
    }),
  }),
})

const promptRow = builder.objectRef<FanoutPrompt>('FanoutPrompt').implement({
  description: 'What platforms searched for before they answered one prompt, in numbers.',
  fields: (t) => ({
    promptId: t.exposeID('promptId', { description: 'UUID.' }),
    text: t.exposeString('text', { description: 'Its wording.' }),
    totalQueries: t.expose('queries', { type: 'SafeInt', description: meaning.queries }),
    uniqueQueries: t.expose('uniqueQueries', {
      type: 'SafeInt',
      description: 'Distinct sub-queries: case and Unicode form make no difference.',
    }),
    avgQueriesPerResponse: t.float({
      description: meaning.average,
      resolve: (tally) => roundedOrZero(queriesPerResponse(tally)),
    }),
    metrics: t.field({
      type: tallyMetrics,
      view: 'graph',
      description: meaning.metrics,
      resolve: (tally) => tally,
    }),
  }),
})

const modelMetrics = metricsType<FanoutModel>('FanoutModelMetrics', 'The ratios of a model.', {
  fanoutRate: {
    description: 'The share of its answers that have a sub-query, in percent.',
    resolve: fanoutRate,
  },
  avgQueriesPerResponse: {
    description: meaning.average,
    resolve: ({ queries, responsesWithFanout: answers }) =>
      queriesPerResponse({ queries, answers }),
  },
})

const modelRow = builder.objectRef<FanoutModel>('FanoutModel').implement({
  description: 'How much one model searches for.',
  fields: (t) => ({
    model: t.exposeString('modelName', {
      description: 'Raw model id; the id of the platform where none is named.',
    }),
    responses: t.expose('responses', { type: 'SafeInt', description: 'Answers in scope.' }),
    responsesWithFanout: t.expose('responsesWithFanout', {
      type: 'SafeInt',
      description: 'Answers that have a sub-query.',
    }),
    totalQueries: t.expose('queries', { type: 'SafeInt', description: meaning.queries }),
    metrics: metricsField(t, modelMetrics, (row) => row),
  }),
})

const fanoutReport = builder.objectRef<FanoutReport>('QueryFanout').implement({
  description: 'What platforms searched for before they answered.',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.field({
      type: summary,
      description: 'All prompts in scope together.',
      resolve: async (it) => {
        const { tally, total } = await it.page()
        return { ...tally, prompts: total }
      },
    }),
    topQueries: t.field({
      type: [topQuery],
      description: 'The sub-queries that were searched for most, ties by text.',
      resolve: (it) => it.topQueries(),
    }),
    prompts: t.field({
      type: [promptRow],
      description: 'A page of the prompts that led to sub-queries, most first, ties by id.',
      resolve: async (it) => (await it.page()).prompts,
    }),
    modelStats: t.field({
      type: [modelRow],
      description: 'Every model that answered, most sub-queries first.',
      resolve: (it) => it.models(),
    }),
    pagination: reportFields.pagination(t, { description: 'Where the page of prompts stands.' }),
    dateRange: reportFields.dateRange(t),
  }),
})

const args = builder.args((t) => ({
  topQueriesLimit: t.field({
    type: 'SafeInt',
    description: 'Rows of `topQueries`; 50 unless given, 200 at most (more is clamped).',
    extensions: { param: { min: 1, max: 200, clamp: true, default: 50 } },
  }),
  topicId: t.id({ description: 'Only answers to prompts of this topic.' }),
}))

report('queryFanout', {
  type: fanoutReport,
  description:
    'What platforms searched for before they answered: the sub-queries that they made of the prompts. Needs a plan with query fanout.',
  problems: ['plan_upgrade_required'],
  args: {
    ...windowArgsOf(fanoutWindow),
    ...fanoutPage,
    topQueriesLimit: args.topQueriesLimit,
    platform: filterArgs.platform,
    topicId: args.topicId,
    unbranded: filterArgs.unbranded,
    branded: filterArgs.branded,
  },
  resolve: (scope, given, context) =>
    queryFanout(scope, given as typeof given & FanoutArgs, {
      prompts: (ask: FanoutAsk) => batched(context, 'fanout.prompts', scope, ask, promptsOfMany),
      queries: (ask: FanoutAsk) => batched(context, 'fanout.queries', scope, ask, queriesOfMany),
      models: (ask: FanoutAsk) => batched(context, 'fanout.models', scope, ask, modelsOfMany),
    }),
})
