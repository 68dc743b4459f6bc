import { rounded } from '../core/metrics.ts'
import {
  fewestRated,
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
import type { InCell } from '../resolvers/shared/samples/cell.ts'
import { compareArgs, filterArgs, windowArgs } from './kit/args.ts'
import { batched, type One } from './kit/batch.ts'
import { builder } from './kit/builder.ts'
import { changesMeaning, changesType } from './kit/change.ts'
import { reportParents } from './kit/edge.ts'
import { listOf } from './kit/lists/connection.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { report } from './kit/report.ts'
import { type FieldsOf, onlyWith, reportFields } from './kit/report-fields.ts'

const scoreMeaning =
  'Sentiment score from 0 to 100: 0 when all rated answers are negative, 50 neutral, 100 positive. Rated answers name the brand and have a sentiment. Computed as 100 · (positive + neutral ⁄ 2) ⁄ all; null without rated answers.'
const netMeaning =
  'Percent of rated answers that are positive minus percent that are negative, -100 to 100. Null without rated answers.'
const fewMeaning = `The value is null for fewer than ${fewestRated} rated answers.`
const ratedMeaning = 'Number of rated answers: they name the brand and have a sentiment.'

const method = builder.enumType('SentimentMethod', {
  description: 'Ways to rate the tone of an answer about a brand.',
  values: {
    lexicon: {
      description:
        'The lexicon of Sightline. A `sentiment` of an imported answer stands as it came.',
    },
  },
})

const toneMetrics = metricsType<ToneCounts>(
  'SentimentMetrics',
  'Sentiment ratios with their numerators and denominators.',
  {
    score: {
      description: `${scoreMeaning} A neutral answer adds one half to the numerator. ${fewMeaning}`,
      measure: 'tone',
      resolve: (counts) => ({ ...sentimentScore(counts), fewest: fewestRated }),
    },
    netSentiment: {
      description: `${netMeaning} ${fewMeaning}`,
      measure: 'netTone',
      resolve: (counts) => ({ ...netSentiment(counts), fewest: fewestRated }),
    },
  },
)

const toneFields = <Shape extends ToneCounts>(t: FieldsOf<Shape>) => ({
  score: t.float({
    nullable: true,
    description: scoreMeaning,
    resolve: (counts) => rounded(sentimentScore(counts)),
  }),
  positive: t.field({
    type: 'SafeInt',
    description: 'Number of rated answers that speak well of the brand.',
    resolve: (counts) => counts.positive,
  }),
  neutral: t.field({
    type: 'SafeInt',
    description: 'Number of rated answers that name the brand without praise or blame.',
    resolve: (counts) => counts.neutral,
  }),
  negative: t.field({
    type: 'SafeInt',
    description: 'Number of rated answers that speak ill of the brand.',
    resolve: (counts) => counts.negative,
  }),
  rated: t.field({
    type: 'SafeInt',
    view: 'graph',
    description: ratedMeaning,
    resolve: ratedAnswers,
  }),
  unrated: t.field({
    type: 'SafeInt',
    view: 'graph',
    description:
      'Number of answers that name the brand without a sentiment: they only name it, or are not in English.',
    resolve: (counts) => counts.unrated,
  }),
  method: t.field({
    type: method,
    view: 'graph',
    description: 'How the answers were rated. Numbers of one report have one method.',
    resolve: () => 'lexicon' as const,
  }),
})

export const sentimentSummary = builder.objectRef<ToneCounts>('SentimentSummary').implement({
  description: 'Sentiment of answers about the brand in one window.',
  fields: (t) => ({
    ...toneFields(t),
    netSentiment: t.float({
      nullable: true,
      description: netMeaning,
      resolve: (counts) => rounded(netSentiment(counts)),
    }),
    totalMentions: t.field({
      type: 'SafeInt',
      description: ratedMeaning,
      resolve: ratedAnswers,
    }),
    metrics: metricsField(t, toneMetrics, (counts) => counts),
  }),
})

type Sentiment = One<typeof sentiments>
type Compared = NonNullable<Sentiment['comparison']>

const deltas = builder.objectRef<Compared['deltas']>('SentimentDeltas').implement({
  description:
    'Numbers of the requested window minus those of the compared window, from unrounded values.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      nullable: true,
      description:
        'Change of the sentiment score in points; null when either window has no rated answers.',
    }),
    positive: t.expose('positive', {
      type: 'SafeInt',
      description: 'Change of the number of positive answers.',
    }),
    neutral: t.expose('neutral', {
      type: 'SafeInt',
      description: 'Change of the number of neutral answers.',
    }),
    negative: t.expose('negative', {
      type: 'SafeInt',
      description: 'Change of the number of negative answers.',
    }),
    netSentiment: t.exposeFloat('netSentiment', {
      nullable: true,
      description:
        'Change of net sentiment in percentage points; null when either window has no rated answers.',
    }),
    totalMentions: t.expose('totalMentions', {
      type: 'SafeInt',
      description: 'Change of the number of rated answers.',
    }),
  }),
})

const changes = changesType<ToneCounts & InCell>('SentimentChanges', {
  score: {
    description: 'Change of the sentiment score in points.',
    measure: 'tone',
    resolve: sentimentScore,
  },
  netSentiment: {
    description: 'Change of net sentiment in percentage points.',
    measure: 'netTone',
    resolve: netSentiment,
  },
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
    changes: t.field({
      type: changes,
      view: 'graph',
      description: changesMeaning,
      resolve: ({ current, previous }) => ({ now: current, before: previous }),
    }),
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
        type: comparison,
        ...onlyWith('`compare`', 'An earlier window and the changes since.'),
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: 'Sentiment of answers about the own brand.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...compareArgs },
  resolve: (scope, args, context) =>
    batched(context, 'sentiment', scope, args as ComparedSentimentArgs, sentiments),
})

type History = One<typeof sentimentHistories>

const day = builder.objectRef<History['history'][number]>('SentimentDay').implement({
  description: 'Sentiment of answers about the brand on one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
    ...toneFields(t),
    metrics: metricsField(t, toneMetrics, (counts) => counts),
  }),
})

report('sentimentHistory', {
  type: builder.objectRef<History>('SentimentHistory').implement({
    description: 'Sentiment of answers about the own brand by day.',
    fields: (t) => ({
      project: reportFields.project(t),
      history: t.field({
        type: [day],
        description: 'Days that have answers, oldest first.',
        resolve: (report) => [...report.history],
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: 'Sentiment of answers about the own brand by day.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs },
  resolve: (scope, args, context) =>
    batched(context, 'sentimentHistory', scope, args as SentimentArgs, sentimentHistories),
})

const brandTones = builder.objectRef<BrandTones>('BrandSentiment').implement({
  description: 'Sentiment of answers about the own brand.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the own brand.' }),
    ...toneFields(t),
    metrics: metricsField(t, toneMetrics, (counts) => counts),
  }),
})

const competitorTones = builder.objectRef<BrandTones>('CompetitorSentiment').implement({
  description: 'Sentiment of answers about a competitor; here the brand is the competitor.',
  fields: (t) => ({
    competitorId: t.exposeID('id', { description: 'Id of the competitor.' }),
    name: t.exposeString('name', { description: 'Name of the competitor.' }),
    ...toneFields(t),
    metrics: metricsField(t, toneMetrics, (counts) => counts),
  }),
})

report('sentimentByCompetitor', {
  ...listOf(
    builder.objectRef<One<typeof sentimentsByCompetitor>>('SentimentByCompetitor'),
    competitorTones,
    {
      description: 'Sentiment of answers about each tracked brand.',
      rows: 'competitors',
      isWhole: true,
      fields: (t) => ({
        project: reportFields.project(t),
        brand: t.expose('brand', { type: brandTones, description: 'Numbers of the own brand.' }),
        competitors: t.expose('competitors', {
          type: [competitorTones],
          description: 'Every competitor, most rated answers first, ties by name.',
        }),
        dateRange: reportFields.dateRange(t),
      }),
    },
  ),
  description: 'Sentiment of answers about the own brand and about each competitor.',
  args: { ...windowArgs, ...filterArgs },
  resolve: (scope, args, context) =>
    batched(context, 'sentimentByCompetitor', scope, args as SentimentArgs, sentimentsByCompetitor),
})
