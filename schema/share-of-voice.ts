import { rounded } from '../core/metrics.ts'
import {
  type ShareOfVoice,
  type ShareOfVoiceArgs,
  type ShareOfVoiceDeltas,
  type ShareOfVoiceRow,
  type ShareOfVoiceSummary,
  sharesOfVoice,
} from '../resolvers/share-of-voice/share-of-voice.ts'
import { compareArgs, filterArgs, windowArgs } from './kit/args.ts'
import { batched } from './kit/batch.ts'
import { builder, type Types } from './kit/builder.ts'
import { changeField, changesMeaning, changesType } from './kit/change.ts'
import { reportParents } from './kit/edge.ts'
import { listOf } from './kit/lists/connection.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { report } from './kit/report.ts'
import { onlyCompared, onlyWith, reportFields } from './kit/report-fields.ts'

const sovMeaning =
  'Percent: answers that mention the brand, of the sum over tracked brands. Null without mentions.'

const rowMetrics = metricsType<ShareOfVoiceRow>(
  'ShareOfVoiceMetrics',
  'Share of voice of a tracked brand with its numerator and denominator.',
  {
    sov: { description: sovMeaning, measure: 'shareOfVoice', resolve: (row) => row.sov },
    previousSov: {
      nullable: true,
      description: '`sov` in the compared window; null without `compare`.',
      measure: 'shareOfVoice',
      cellOf: (row) => row.previousCell,
      resolve: (row) => row.previousSov,
    },
  },
)

const rowFields = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, ShareOfVoiceRow>) => ({
  name: t.exposeString('name', { description: 'Name of the brand.' }),
  domain: t.exposeString('domain', { description: 'Main domain of the brand.' }),
  mentions: t.expose('mentions', {
    type: 'Int',
    description:
      'Occurrences of the brand name in answers in the window; an answer may have several.',
  }),
  responsesWithMention: t.expose('responsesWithMention', {
    type: 'Int',
    description: 'Answers in the window that name the brand.',
  }),
  sov: t.float({
    nullable: true,
    description: sovMeaning,
    resolve: (row) => rounded(row.sov),
  }),
  previousSov: t.float({
    ...onlyCompared('`sov` in the earlier window.'),
    resolve: (row) => row.previousSov && rounded(row.previousSov),
  }),
  sovDelta: t.exposeFloat('sovDelta', {
    ...onlyCompared('`sov` minus `previousSov` in percentage points.'),
  }),
  change: changeField(
    t,
    'shareOfVoice',
    '`sovDelta` with its interval. Null without `compare`.',
    ({ sov, previousSov, cell, previousCell }) => {
      return { now: sov, before: previousSov, cell, previousCell }
    },
  ),
  metrics: metricsField(t, rowMetrics, (row) => row),
})

const brandShare = builder.objectRef<ShareOfVoiceRow>('BrandShareOfVoice').implement({
  description: "Share of voice of the project's own brand.",
  fields: rowFields,
})

export const competitorShare = builder
  .objectRef<ShareOfVoiceRow>('CompetitorShareOfVoice')
  .implement({
    description: 'Share of voice of a competitor; here the brand is the competitor.',
    fields: (t) => ({
      competitorId: t.exposeID('id', { description: 'Id of the competitor.' }),
      ...rowFields(t),
    }),
  })

const summaryMetrics = metricsType<ShareOfVoiceSummary>(
  'ShareOfVoiceSummaryMetrics',
  'Share of voice of the own brand in one window with its numerator and denominator.',
  { sov: { description: sovMeaning, measure: 'shareOfVoice', resolve: (it) => it.sov } },
)

const totals = {
  totalMentions: 'Occurrences of the names of all tracked brands in answers in the window.',
  totalResponsesWithMention:
    'Sum over tracked brands of answers that mention each: the base of `sov`.',
}

const summary = builder.objectRef<ShareOfVoiceSummary>('ShareOfVoiceSummary').implement({
  description: 'Numbers of the own brand and of all tracked brands in one window.',
  fields: (t) => ({
    sov: t.float({ nullable: true, description: sovMeaning, resolve: (it) => rounded(it.sov) }),
    mentions: t.expose('mentions', {
      type: 'Int',
      description: 'Occurrences of the own brand name in answers in the window.',
    }),
    responsesWithMention: t.expose('responsesWithMention', {
      type: 'Int',
      description: 'Answers in the window that name the own brand.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'Int',
      description: totals.totalMentions,
    }),
    totalResponsesWithMention: t.expose('totalResponsesWithMention', {
      type: 'Int',
      description: totals.totalResponsesWithMention,
    }),
    metrics: metricsField(t, summaryMetrics, (it) => it),
  }),
})

const deltas = builder.objectRef<ShareOfVoiceDeltas>('ShareOfVoiceDeltas').implement({
  description: 'The window minus the compared window.',
  fields: (t) => ({
    sov: t.exposeFloat('sov', {
      nullable: true,
      description:
        'Change of the share of voice in percentage points. Null when either window mentions no tracked brand.',
    }),
    mentions: t.expose('mentions', {
      type: 'Int',
      description: 'Change of the number of occurrences of the own brand name.',
    }),
    responsesWithMention: t.expose('responsesWithMention', {
      type: 'Int',
      description: 'Change of the number of answers that name the own brand.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'Int',
      description: 'Change of the number of occurrences of the names of all tracked brands.',
    }),
    totalResponsesWithMention: t.expose('totalResponsesWithMention', {
      type: 'Int',
      description: 'Change of the sum over tracked brands of the answers that name each brand.',
    }),
  }),
})

const changes = changesType<ShareOfVoiceSummary>('ShareOfVoiceChanges', {
  sov: {
    description: 'Change of the share of voice of the own brand in percentage points.',
    measure: 'shareOfVoice',
    resolve: ({ sov }) => sov,
  },
})

const comparison = builder
  .objectRef<NonNullable<ShareOfVoice['comparison']>>('ShareOfVoiceComparison')
  .implement({
    description: 'An earlier window and the changes since.',
    fields: (t) => ({
      ...reportFields.comparedWindow(t),
      previous: t.expose('previous', {
        type: summary,
        description: 'Numbers of the compared window.',
      }),
      deltas: t.expose('deltas', {
        type: deltas,
        description: 'Changes since the compared window.',
      }),
      changes: t.field({
        type: changes,
        view: 'graph',
        description: changesMeaning,
        resolve: ({ current, previous }) => ({ now: current, before: previous }),
      }),
    }),
  })

const shareOfVoice = listOf(builder.objectRef<ShareOfVoice>('ShareOfVoice'), competitorShare, {
  description: 'Share of voice of each tracked brand.',
  rows: 'competitors',
  isWhole: true,
  fields: (t) => ({
    project: reportFields.project(t),
    brand: t.expose('brand', { type: brandShare, description: 'Numbers of the own brand.' }),
    competitors: t.expose('competitors', {
      type: [competitorShare],
      description: 'Every competitor, most naming answers first.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'Int',
      description: totals.totalMentions,
    }),
    totalResponsesWithMention: t.expose('totalResponsesWithMention', {
      type: 'Int',
      description: totals.totalResponsesWithMention,
    }),
    comparison: t.expose('comparison', {
      type: comparison,
      ...onlyWith('`compare`', 'An earlier window and the changes since.'),
    }),
    ...reportFields.window(t),
  }),
})

report('shareOfVoice', {
  ...shareOfVoice,
  description:
    'Share of voice of the own brand and each competitor. An answer counts once for each brand in it.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...compareArgs },
  resolve: (scope, args, context) =>
    batched(context, 'shareOfVoice', scope, args as ShareOfVoiceArgs, sharesOfVoice),
})
