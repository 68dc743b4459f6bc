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
import { builder, report, type Types } from './kit/builder.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { reportFields } from './kit/report-fields.ts'

const sovMeaning =
  'Answers that name the brand, in percent of the answers that name it and of those that name each competitor, added up; null when nobody is named.'

const rowMetrics = metricsType<ShareOfVoiceRow>(
  'ShareOfVoiceMetrics',
  'The ratios of a brand with their numerators and denominators.',
  {
    sov: { description: sovMeaning, resolve: (row) => row.sov },
    previousSov: {
      nullable: true,
      description: '`sov` in the compared window; null unless `compare` is given.',
      resolve: (row) => row.previousSov,
    },
  },
)

const rowFields = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, ShareOfVoiceRow>) => ({
  name: t.exposeString('name', { description: 'Its name.' }),
  domain: t.exposeString('domain', { description: 'Its main domain.' }),
  mentions: t.expose('mentions', {
    type: 'SafeInt',
    description: 'How often answers name it; one answer may do so several times.',
  }),
  responsesWithMention: t.expose('responsesWithMention', {
    type: 'SafeInt',
    description: 'Answers that name it.',
  }),
  sov: t.float({
    nullable: true,
    description: sovMeaning,
    resolve: (row) => rounded(row.sov),
  }),
  previousSov: t.float({
    nullable: true,
    omitNull: { unless: 'compare' },
    description: '`sov` in the compared window. Present only with `compare`.',
    resolve: (row) => row.previousSov && rounded(row.previousSov),
  }),
  sovDelta: t.exposeFloat('sovDelta', {
    nullable: true,
    omitNull: { unless: 'compare' },
    description:
      '`sov` minus `previousSov`, in percentage points, from the unrounded values. Present only with `compare`.',
  }),
  metrics: metricsField(t, rowMetrics, (row) => row),
})

const brandShare = builder.objectRef<ShareOfVoiceRow>('BrandShareOfVoice').implement({
  description: "The project's own brand among all tracked brands.",
  fields: rowFields,
})

const competitorShare = builder.objectRef<ShareOfVoiceRow>('CompetitorShareOfVoice').implement({
  description: 'A competitor among all tracked brands.',
  fields: (t) => ({
    competitorId: t.exposeID('id', { description: 'Id of the competitor.' }),
    ...rowFields(t),
  }),
})

const summaryMetrics = metricsType<ShareOfVoiceSummary>(
  'ShareOfVoiceSummaryMetrics',
  'The ratios of a window with their numerators and denominators.',
  { sov: { description: sovMeaning, resolve: (it) => it.sov } },
)

const totals = {
  totalMentions: 'Mentions of all tracked brands.',
  totalResponsesWithMention:
    'Answers that name a brand, added up over the tracked brands: what `sov` is counted out of.',
}

const summary = builder.objectRef<ShareOfVoiceSummary>('ShareOfVoiceSummary').implement({
  description: 'The own brand and the totals in one window.',
  fields: (t) => ({
    sov: t.float({ nullable: true, description: sovMeaning, resolve: (it) => rounded(it.sov) }),
    mentions: t.expose('mentions', { type: 'SafeInt', description: 'Mentions of the brand.' }),
    responsesWithMention: t.expose('responsesWithMention', {
      type: 'SafeInt',
      description: 'Answers that name the brand.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'SafeInt',
      description: totals.totalMentions,
    }),
    totalResponsesWithMention: t.expose('totalResponsesWithMention', {
      type: 'SafeInt',
      description: totals.totalResponsesWithMention,
    }),
    metrics: metricsField(t, summaryMetrics, (it) => it),
  }),
})

const deltas = builder.objectRef<ShareOfVoiceDeltas>('ShareOfVoiceDeltas').implement({
  description: 'The window asked for minus the compared one, from the unrounded values.',
  fields: (t) => ({
    sov: t.exposeFloat('sov', {
      nullable: true,
      description: 'In percentage points; null when in either window nobody is named.',
    }),
    mentions: t.expose('mentions', { type: 'SafeInt', description: 'Mentions of the brand.' }),
    responsesWithMention: t.expose('responsesWithMention', {
      type: 'SafeInt',
      description: 'Answers that name the brand.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'SafeInt',
      description: totals.totalMentions,
    }),
    totalResponsesWithMention: t.expose('totalResponsesWithMention', {
      type: 'SafeInt',
      description: totals.totalResponsesWithMention,
    }),
  }),
})

const comparison = builder
  .objectRef<NonNullable<ShareOfVoice['comparison']>>('ShareOfVoiceComparison')
  .implement({
    description: 'An earlier window, and what has changed since.',
    fields: (t) => ({
      ...reportFields.comparedWindow(t),
      previous: t.expose('previous', { type: summary, description: 'Its numbers.' }),
      deltas: t.expose('deltas', { type: deltas, description: 'The changes since.' }),
    }),
  })

const shareOfVoice = builder.objectRef<ShareOfVoice>('ShareOfVoice').implement({
  description: 'How the answers that name a tracked brand divide among the brands.',
  fields: (t) => ({
    project: reportFields.project(t),
    brand: t.expose('brand', { type: brandShare, description: 'The own brand.' }),
    competitors: t.expose('competitors', {
      type: [competitorShare],
      description: 'Every competitor, the one that most answers name first.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'SafeInt',
      description: totals.totalMentions,
    }),
    totalResponsesWithMention: t.expose('totalResponsesWithMention', {
      type: 'SafeInt',
      description: totals.totalResponsesWithMention,
    }),
    comparison: t.expose('comparison', {
      type: comparison,
      nullable: true,
      omitNull: true,
      description: 'The compared window. Present only with `compare`.',
    }),
    dateRange: reportFields.dateRange(t),
  }),
})

report('shareOfVoice', {
  type: shareOfVoice,
  description:
    'How the answers that name a tracked brand divide among the own brand and its competitors. Each answer counts once for each brand that it names, so that one talkative answer weighs no more than a terse one.',
  args: { ...windowArgs, ...filterArgs, ...compareArgs },
  resolve: (scope, args, context) =>
    batched(context, 'shareOfVoice', scope, args as ShareOfVoiceArgs, sharesOfVoice),
})
