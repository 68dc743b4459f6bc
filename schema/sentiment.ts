import { rounded } from '../core/metrics.ts'
import {
  netSentiment,
  ratedAnswers,
  sentimentScore,
  type ToneCounts,
} from '../core/text/sentiment.ts'
import {
  type BrandTones,
  type ComparedSentimentArgs,
  type SentimentArgs,
  sentimentHistories,
  sentiments,
  sentimentsByCompetitor,
} from '../resolvers/sentiment/sentiment.ts'
import { compareArgs, comparisonMode, filterArgs, windowArgs } from './kit/args.ts'
import { batched } from './kit/batch.ts'
import { builder, report, type Types } from './kit/builder.ts'
import { dateRangeBlock, projectReference } from './kit/report-fields.ts'

/** The answer on one project of a resolver that answers for several. */
type One<Many extends (...args: never[]) => Promise<readonly unknown[]>> = Exclude<
  Awaited<ReturnType<Many>>[number],
  Error
>

type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

const scoreMeaning =
  '0 when every answer that names the brand and has a sentiment of it is negative, 50 when all are neutral, 100 when all are positive: 100 · (positive + neutral ⁄ 2) ⁄ all. Null without such answers.'
const netMeaning =
  'Percent of positive answers minus percent of negative ones, -100 to 100; null without either.'

const toneMetrics = builder.objectRef<ToneCounts>('SentimentMetrics').implement({
  description: 'The ratios of a sentiment with their numerators and denominators.',
  fields: (t) => ({
    score: t.field({
      type: 'Metric',
      description: `${scoreMeaning} In the numerator a neutral answer counts half.`,
      resolve: sentimentScore,
    }),
    netSentiment: t.field({ type: 'Metric', description: netMeaning, resolve: netSentiment }),
  }),
})

const toneFields = <Shape extends ToneCounts>(t: FieldsOf<Shape>) => ({
  score: t.float({
    nullable: true,
    description: scoreMeaning,
    resolve: (counts) => rounded(sentimentScore(counts)),
  }),
  positive: t.field({
    type: 'SafeInt',
    description: 'Answers that speak well of the brand.',
    resolve: (counts) => counts.positive,
  }),
  neutral: t.field({
    type: 'SafeInt',
    description: 'Answers that name the brand without praise or blame.',
    resolve: (counts) => counts.neutral,
  }),
  negative: t.field({
    type: 'SafeInt',
    description: 'Answers that speak ill of the brand.',
    resolve: (counts) => counts.negative,
  }),
})

const metricsField = <Shape extends ToneCounts>(t: FieldsOf<Shape>) => ({
  metrics: t.field({
    type: toneMetrics,
    view: 'graph',
    description: 'The ratios with their numerators and denominators.',
    resolve: (counts) => counts,
  }),
})

const summary = builder.objectRef<ToneCounts>('SentimentSummary').implement({
  description: 'How the answers of one window speak of the brand.',
  fields: (t) => ({
    ...toneFields(t),
    netSentiment: t.float({
      nullable: true,
      description: netMeaning,
      resolve: (counts) => rounded(netSentiment(counts)),
    }),
    totalMentions: t.field({
      type: 'SafeInt',
      description: 'Answers that name the brand and have a sentiment of it.',
      resolve: ratedAnswers,
    }),
    ...metricsField(t),
  }),
})

type Sentiment = One<typeof sentiments>
type Compared = NonNullable<Sentiment['comparison']>

const deltas = builder.objectRef<Compared['deltas']>('SentimentDeltas').implement({
  description: 'The window asked for minus the compared one, from the unrounded values.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      nullable: true,
      description: 'In points; null when either window has no sentiment.',
    }),
    positive: t.expose('positive', { type: 'SafeInt', description: 'Positive answers.' }),
    neutral: t.expose('neutral', { type: 'SafeInt', description: 'Neutral answers.' }),
    negative: t.expose('negative', { type: 'SafeInt', description: 'Negative answers.' }),
    netSentiment: t.exposeFloat('netSentiment', {
      nullable: true,
      description: 'In percentage points; null when either window has no sentiment.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'SafeInt',
      description: 'Answers that name the brand and have a sentiment of it.',
    }),
  }),
})

const comparison = builder.objectRef<Compared>('SentimentComparison').implement({
  description: 'An earlier window, and what has changed since.',
  fields: (t) => ({
    mode: t.expose('mode', { type: comparisonMode, description: 'Which window it is.' }),
    dateRange: t.expose('dateRange', { type: dateRangeBlock, description: 'Its days.' }),
    previous: t.expose('previous', { type: summary, description: 'Its numbers.' }),
    deltas: t.expose('deltas', { type: deltas, description: 'The changes since.' }),
  }),
})

const project = { type: projectReference, view: 'rest', description: 'The project.' } as const
const dateRange = { type: dateRangeBlock, description: 'The window.' } as const

report('sentiment', {
  type: builder.objectRef<Sentiment>('Sentiment').implement({
    description: 'How answers speak of the own brand.',
    fields: (t) => ({
      project: t.expose('scope', project),
      summary: t.expose('summary', { type: summary, description: 'The whole window.' }),
      comparison: t.expose('comparison', {
        type: comparison,
        nullable: true,
        omitNull: true,
        description: 'The compared window. Present only with `compare`.',
      }),
      dateRange: t.expose('dateRange', dateRange),
    }),
  }),
  description: 'How well or ill the answers that name the own brand speak of it.',
  args: { ...windowArgs, ...filterArgs, ...compareArgs },
  resolve: (scope, args, context) =>
    batched(context, 'sentiment', scope, args as ComparedSentimentArgs, sentiments),
})

type History = One<typeof sentimentHistories>

const day = builder.objectRef<History['history'][number]>('SentimentDay').implement({
  description: 'How the answers of one day speak of the brand.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
    ...toneFields(t),
    ...metricsField(t),
  }),
})

report('sentimentHistory', {
  type: builder.objectRef<History>('SentimentHistory').implement({
    description: 'How answers speak of the own brand from day to day.',
    fields: (t) => ({
      project: t.expose('scope', project),
      history: t.field({
        type: [day],
        description: 'The days that have answers, oldest first.',
        resolve: (report) => [...report.history],
      }),
      dateRange: t.expose('dateRange', dateRange),
    }),
  }),
  description: 'How the sentiment of the own brand moves from day to day.',
  args: { ...windowArgs, ...filterArgs },
  resolve: (scope, args, context) =>
    batched(context, 'sentimentHistory', scope, args as SentimentArgs, sentimentHistories),
})

const brandTones = builder.objectRef<BrandTones>('BrandSentiment').implement({
  description: 'How answers speak of the own brand.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    ...toneFields(t),
    ...metricsField(t),
  }),
})

const competitorTones = builder.objectRef<BrandTones>('CompetitorSentiment').implement({
  description: 'How answers speak of a competitor.',
  fields: (t) => ({
    competitorId: t.exposeID('id', { description: 'Id of the competitor.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    ...toneFields(t),
    ...metricsField(t),
  }),
})

report('sentimentByCompetitor', {
  type: builder.objectRef<One<typeof sentimentsByCompetitor>>('SentimentByCompetitor').implement({
    description: 'How answers speak of each tracked brand.',
    fields: (t) => ({
      project: t.expose('scope', project),
      brand: t.expose('brand', { type: brandTones, description: 'The own brand.' }),
      competitors: t.expose('competitors', {
        type: [competitorTones],
        description: 'Every competitor, the one with the most answers first, then by name.',
      }),
      dateRange: t.expose('dateRange', dateRange),
    }),
  }),
  description: 'How well or ill answers speak of the own brand and of each competitor.',
  args: { ...windowArgs, ...filterArgs },
  resolve: (scope, args, context) =>
    batched(context, 'sentimentByCompetitor', scope, args as SentimentArgs, sentimentsByCompetitor),
})
