import { roundFloat, share } from '../../core/metrics.ts'
import type { Agreement } from '../../core/text/judge/agreement.ts'
import {
  agreements,
  type BrandTones,
  type SentimentArgs,
  sentimentHistories,
  sentiments,
  sentimentsByCompetitor,
} from '../../resolvers/sentiment/sentiment.ts'
import { type AnswerMany, batched, type One } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { compareArgs, filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { answeredBuckets, bucketFields, intervalArgs } from '../kit/history.ts'
import { metricsField } from '../kit/metric.ts'
import { report, type View } from '../kit/report.ts'
import { onlyWith, reportFields } from '../kit/report-fields.ts'
import { reportParents } from '../kit/slice-parents.ts'
import { raterArgs, sentimentSummary, toneFields, toneMetrics } from './tones.ts'

/** Answers of many projects at once. REST does not say who rated the answers. */
const resolvedBy =
  <Args extends SentimentArgs, Answer>(name: string, answerMany: AnswerMany<Args, Answer>) =>
  (scope: ProjectScope, args: object, _context: Context, view: View): Promise<Answer> => {
    const given = view === 'rest' ? { ...args, origins: false } : args
    return batched(name, scope, given as Args, answerMany)
  }

type Sentiment = One<typeof sentiments>
type Compared = NonNullable<Sentiment['comparison']>

const deltas = builder.objectRef<Compared['deltas']>('SentimentDeltas').implement({
  description: 'The window minus the compared window.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      nullable: true,
      description:
        'Change of the sentiment score in points. Null when either window has no rated answers.',
    }),
    positive: t.expose('positive', {
      type: 'Int',
      description: 'Change of the number of positive answers.',
    }),
    neutral: t.expose('neutral', {
      type: 'Int',
      description: 'Change of the number of neutral answers.',
    }),
    negative: t.expose('negative', {
      type: 'Int',
      description: 'Change of the number of negative answers.',
    }),
    netSentiment: t.exposeFloat('netSentiment', {
      nullable: true,
      description:
        'Change of net sentiment in percentage points. Null when either window has no rated answers.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'Int',
      description: 'Change of the number of rated answers.',
    }),
  }),
})

const agreement = builder.objectRef<Agreement>('SentimentAgreement').implement({
  description: 'How far the lexicon and the judge agree on answers about the own brand.',
  fields: (t) => ({
    compared: t.expose('compared', {
      type: 'Int',
      description: 'Answers that both rated.',
    }),
    agreed: t.expose('agreed', {
      type: 'Int',
      description: 'Answers that both rated alike.',
    }),
    rate: t.field({
      type: 'Metric',
      description: 'Percent of the compared answers that both rated alike.',
      resolve: ({ agreed, compared }) => share(agreed, compared),
    }),
    kappa: t.float({
      nullable: true,
      description:
        "Cohen's kappa: 1 is full agreement, 0 that of chance. Null without answers or differences.",
      resolve: ({ kappa }) => kappa && roundFloat(kappa),
    }),
  }),
})

const comparison = builder.objectRef<Compared>('SentimentComparison').implement({
  description: 'An earlier window and the changes since.',
  fields: (t) => ({
    ...reportFields.comparedWindow(t),
    previous: t.expose('previous', {
      type: sentimentSummary,
      description: 'Numbers of the compared window.',
    }),
    deltas: t.expose('deltas', { type: deltas, description: 'Changes since the compared window.' }),
  }),
})

report('sentiment', {
  type: builder.objectRef<Sentiment>('Sentiment').implement({
    description: 'Sentiment of answers about the own brand.',
    fields: (t) => ({
      project: reportFields.project(t),
      summary: t.expose('summary', {
        type: sentimentSummary,
        description: 'Sentiment in the whole window.',
      }),
      comparison: t.expose('comparison', {
        view: 'rest',
        type: comparison,
        ...onlyWith('`compare`', 'An earlier window and the changes since.'),
      }),
      comparedWindow: reportFields.comparison(t),
      agreement: t.field({
        type: agreement,
        nullable: true,
        view: 'graph',
        description:
          'How far the lexicon and the judge agree in the window, whatever `method` is; null beside an error.',
        resolve: ({ scope, args }, _args) => batched('sentimentAgreement', scope, args, agreements),
      }),
      ...reportFields.window(t),
    }),
  }),
  description: 'Sentiment of answers about the own brand.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...compareArgs, ...raterArgs },
  resolve: resolvedBy('sentiment', sentiments),
})

type History = One<typeof sentimentHistories>

const historyPoint = builder
  .objectRef<History['history'][number]>('SentimentHistoryPoint')
  .implement({
    description: 'Sentiment of answers about the brand in one row of a history.',
    extensions: { restName: 'SentimentDay' },
    fields: (t) => ({
      ...bucketFields(t),
      ...toneFields(t),
      metrics: metricsField(t, toneMetrics, (counts) => counts),
    }),
  })

report('sentimentHistory', {
  type: builder.objectRef<History>('SentimentHistory').implement({
    description: 'The history of the sentiment of answers about the own brand.',
    fields: (t) => ({
      project: reportFields.project(t),
      history: t.field({
        type: [historyPoint],
        ...answeredBuckets,
        resolve: (report) => [...report.history],
      }),
      ...reportFields.window(t),
    }),
  }),
  description: 'Sentiment of answers about the own brand by day, week or month.',
  restDescription: 'Sentiment of answers about the own brand by day.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...raterArgs, ...intervalArgs },
  resolve: resolvedBy('sentimentHistory', sentimentHistories),
})

/** The graph has the same numbers in `sentiment` of each row of `brands`. */
const brandTones = builder.objectRef<BrandTones>('BrandSentiment').implement({
  description: 'Sentiment of answers about the own brand.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the own brand.' }),
    ...toneFields(t),
  }),
})

const competitorTones = builder.objectRef<BrandTones>('CompetitorSentiment').implement({
  description: 'Sentiment of answers about a competitor; here the brand is the competitor.',
  fields: (t) => ({
    competitorId: t.exposeID('id', { description: 'Id of the competitor.' }),
    name: t.exposeString('name', { description: 'Name of the competitor.' }),
    ...toneFields(t),
  }),
})

report('sentimentByCompetitor', {
  view: 'rest',
  type: builder.objectRef<One<typeof sentimentsByCompetitor>>('SentimentByCompetitor').implement({
    description: 'Sentiment of answers about each tracked brand.',
    fields: (t) => ({
      project: reportFields.project(t),
      brand: t.expose('brand', { type: brandTones, description: 'Numbers of the own brand.' }),
      competitors: t.expose('competitors', {
        type: [competitorTones],
        description: 'Every competitor, most rated answers first.',
      }),
      ...reportFields.window(t),
    }),
  }),
  description: 'Sentiment of answers about the own brand and about each competitor.',
  args: { ...windowArgs, ...filterArgs },
  resolve: resolvedBy('sentimentByCompetitor', sentimentsByCompetitor),
})
