import { rounded } from '../core/metrics.ts'
import {
  type ShareOfVoice,
  type ShareOfVoiceArgs,
  type ShareOfVoiceDeltas,
  type ShareOfVoiceRow,
  type ShareOfVoiceSummary,
  sharesOfVoice,
} from '../resolvers/share-of-voice/share-of-voice.ts'
import { batched } from '../resolvers/shared/batch.ts'
import { compareArgs, filterArgs, windowArgs } from './kit/args.ts'
import { builder } from './kit/builder.ts'
import { changeField } from './kit/change.ts'
import { connectionOf } from './kit/lists/connection.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { report } from './kit/report.ts'
import { type FieldsOf, onlyCompared, onlyWith, reportFields } from './kit/report-fields.ts'
import { reportParents } from './kit/slice-parents.ts'

const sovMeaning =
  'Percent: answers that mention the brand, of the sum over tracked brands. Null without mentions.'

const ratio = {
  description: sovMeaning,
  measure: 'shareOfVoice',
  resolve: ({ sov }: ShareOfVoiceRow) => sov,
} as const

const rowMetrics = metricsType<ShareOfVoiceRow>(
  'ShareOfVoiceMetrics',
  'Share of voice of a tracked brand with its numerator and denominator.',
  { shareOfVoice: ratio },
)

const rowFields = (t: FieldsOf<ShareOfVoiceRow>) => ({
  name: t.exposeString('name', { view: 'rest', description: 'Name of the brand.' }),
  domain: t.exposeString('domain', { view: 'rest', description: 'Main domain of the brand.' }),
  mentions: t.expose('mentions', {
    graphName: 'mentionCount',
    type: 'Int',
    description:
      'Occurrences of the brand name in answers in the window; an answer may have several.',
  }),
  responsesWithMention: t.expose('responsesWithMention', {
    graphName: 'mentionedIn',
    type: 'Int',
    description: 'Answers in the window that mention the brand.',
    restDescription: 'Answers in the window that name the brand.',
  }),
  sov: t.float({
    graphName: 'shareOfVoice',
    nullable: true,
    description: sovMeaning,
    resolve: (row) => rounded(row.sov),
  }),
  previousSov: t.float({
    view: 'rest',
    ...onlyCompared('`sov` in the earlier window.'),
    resolve: (row) => row.previousSov && rounded(row.previousSov),
  }),
  sovDelta: t.exposeFloat('sovDelta', {
    view: 'rest',
    ...onlyCompared('`sov` minus `previousSov` in percentage points.'),
  }),
  change: changeField(
    t,
    'shareOfVoice',
    'Change of the share of voice in percentage points. Null without `compare`.',
    ({ sov, previousSov, cell, previousCell }) => {
      return { now: sov, before: previousSov, cell, previousCell }
    },
  ),
  metrics: metricsField(t, rowMetrics, (row) => row),
})

/** A row of the graph. REST has one for the own brand. */
export const brandShare = builder.objectRef<ShareOfVoiceRow>('BrandShareOfVoice').implement({
  description: 'Share of voice of a tracked brand.',
  fields: rowFields,
})

const competitorShare = builder.objectRef<ShareOfVoiceRow>('CompetitorShareOfVoice').implement({
  description: 'Share of voice of a competitor; here the brand is the competitor.',
  fields: (t) => ({
    competitorId: t.exposeID('id', { description: 'Id of the competitor.' }),
    ...rowFields(t),
  }),
})

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
    }),
  })

const totalFields = (t: FieldsOf<ShareOfVoice>) => ({
  totalMentions: t.expose('totalMentions', {
    graphName: 'mentionCount',
    type: 'Int',
    description: totals.totalMentions,
  }),
  totalResponsesWithMention: t.expose('totalResponsesWithMention', {
    graphName: 'mentionedIn',
    type: 'Int',
    description: 'Sum over tracked brands of answers that mention each: the base of the shares.',
    restDescription: totals.totalResponsesWithMention,
  }),
})

const shareOfVoice = builder.objectRef<ShareOfVoice>('ShareOfVoice').implement({
  description: 'Share of voice of each tracked brand.',
  fields: (t) => ({
    project: reportFields.project(t),
    brand: t.expose('brand', { type: brandShare, description: 'Numbers of the own brand.' }),
    competitors: t.expose('competitors', {
      type: [competitorShare],
      description: 'Every competitor, most naming answers first.',
    }),
    ...totalFields(t),
    comparison: t.expose('comparison', {
      type: comparison,
      ...onlyWith('`compare`', 'An earlier window and the changes since.'),
    }),
    ...reportFields.window(t),
  }),
})

const connection = connectionOf<ShareOfVoiceRow, ShareOfVoice>(brandShare, {
  description: 'Share of voice of each tracked brand, the own brand among them.',
  isWhole: true,
  rows: ({ brands }) => brands,
  facts: (t) => ({
    own: t.expose('brand', {
      type: brandShare,
      description: 'The row of the own brand, whatever the page.',
    }),
    ...totalFields(t),
    comparedWindow: reportFields.comparison(t),
    ...reportFields.window(t),
  }),
})

report('shareOfVoice', {
  type: shareOfVoice,
  connection,
  description:
    'Share of voice of the own brand and each competitor, largest first. An answer counts once for each brand in it.',
  restDescription:
    'Share of voice of the own brand and each competitor. An answer counts once for each brand in it.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...compareArgs },
  resolve: (scope, args) => batched('shareOfVoice', scope, args as ShareOfVoiceArgs, sharesOfVoice),
})
