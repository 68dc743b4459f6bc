import { rounded } from '../../core/metrics.ts'
import {
  fewestRated,
  methodOf,
  netSentiment,
  ratedAnswers,
  sentimentScore,
  type ToneCounts,
} from '../../core/text/sentiment.ts'
import type { InCell } from '../../resolvers/shared/samples/cell.ts'
import { builder } from '../kit/builder.ts'
import { changesMeaning, changesType } from '../kit/change.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import type { FieldsOf } from '../kit/report-fields.ts'

const scoreMeaning =
  'Sentiment from 0, all rated answers negative, to 100, all positive: 100 · (positive + neutral ⁄ 2) ⁄ all.'
const netMeaning = 'Percent of rated answers that are positive minus percent that are negative.'
const fewMeaning = `Null below ${fewestRated} rated answers.`
const ratedMeaning = 'Rated answers: they mention the brand and have a sentiment.'

const methods: Record<ReturnType<typeof methodOf>, { description: string }> = {
  lexicon: { description: 'The lexicon of Sightline rated the answers.' },
  imported: { description: 'The import brought the sentiment of all rated answers.' },
  mixed: {
    description: 'The import brought some sentiments, the lexicon the others.',
  },
  judge: { description: 'A model at a provider rated the answers.' },
}

const method = builder.enumType('SentimentMethod', {
  description: 'Ways to rate the tone of an answer about a brand.',
  values: methods,
})

export const rater = builder.enumType('SentimentRater', {
  description: 'Who rates the tone of an answer about a brand.',
  values: {
    lexicon: {
      description:
        'The lexicon of Sightline. A `sentiment` of an imported answer stands as it came.',
    },
    judge: {
      description:
        'A model at a provider: that of the project, else that of the settings. Answers without its verdict are unrated.',
    },
  },
})

/** REST has no choice: it shows whom the project chose. */
export const raterArgs = builder.args((t) => ({
  method: t.field({
    type: rater,
    description: 'Who rates the answers. Default: whom the project chose, as in `sentimentMethod`.',
    extensions: { view: 'graph' },
  }),
}))

const isOfFew = (counts: ToneCounts) => ratedAnswers(counts) < fewestRated

/** A number of the graph that says nothing of few answers; REST keeps the number. */
export function scoreFields<Shape extends object>(
  t: FieldsOf<Shape>,
  name: string,
  meaning: string,
  numberOf: (row: Shape) => number | null,
  isOfFew: (row: Shape) => boolean,
) {
  const inRest = t.float({
    nullable: true,
    view: 'rest',
    restName: name,
    description: meaning,
    resolve: numberOf,
  })
  const inGraph = t.float({
    nullable: true,
    view: 'graph',
    description: `${meaning} Null below ${fewestRated} rated answers.`,
    resolve: (row: Shape) => (isOfFew(row) ? null : numberOf(row)),
  })
  return { [`${name}InRest`]: inRest, [name]: inGraph }
}

export const toneMetrics = metricsType<ToneCounts>(
  'SentimentMetrics',
  'Sentiment ratios with their numerators and denominators.',
  {
    score: {
      description: `${scoreMeaning} A neutral answer adds one half to the numerator. ${fewMeaning}`,
      measure: 'tone',
      resolve: sentimentScore,
    },
    netSentiment: {
      description: `${netMeaning} ${fewMeaning}`,
      measure: 'netTone',
      resolve: netSentiment,
    },
  },
)

export const toneFields = <Shape extends ToneCounts>(t: FieldsOf<Shape>) => ({
  ...scoreFields(t, 'score', scoreMeaning, (row) => rounded(sentimentScore(row)), isOfFew),
  positive: t.field({
    type: 'Int',
    description: 'Rated answers that speak well of the brand.',
    resolve: (counts) => counts.positive,
  }),
  neutral: t.field({
    type: 'Int',
    description: 'Rated answers that name the brand without praise or blame.',
    resolve: (counts) => counts.neutral,
  }),
  negative: t.field({
    type: 'Int',
    description: 'Rated answers that speak ill of the brand.',
    resolve: (counts) => counts.negative,
  }),
  rated: t.field({
    type: 'Int',
    view: 'graph',
    description: ratedMeaning,
    resolve: ratedAnswers,
  }),
  unrated: t.field({
    type: 'Int',
    view: 'graph',
    description: 'Answers that mention the brand without a sentiment.',
    resolve: (counts) => counts.unrated,
  }),
  method: t.field({
    type: method,
    view: 'graph',
    description: 'How the answers were rated. Ratings of the judge are never mixed with others.',
    resolve: methodOf,
  }),
  methodVersion: t.string({
    nullable: true,
    view: 'graph',
    description:
      'Version of the judge, else of the oldest lexicon that rated the answers; null where neither did.',
    resolve: ({ version }) => version || null,
  }),
})

const toneChanges = changesType<ToneCounts & InCell>(
  'SentimentChanges',
  {
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
  },
  {
    positive: { what: 'the number of positive answers', resolve: ({ positive }) => positive },
    neutral: { what: 'the number of neutral answers', resolve: ({ neutral }) => neutral },
    negative: { what: 'the number of negative answers', resolve: ({ negative }) => negative },
    rated: { what: 'the number of rated answers', resolve: ratedAnswers },
  },
)

type Summary = ToneCounts &
  InCell & {
    /** The same in the compared window; null or absent without a comparison. */
    readonly previous?: (ToneCounts & InCell) | null
  }

export const sentimentSummary = builder.objectRef<Summary>('SentimentSummary').implement({
  description: 'Sentiment of answers about the brand in one window.',
  fields: (t) => ({
    ...toneFields(t),
    ...scoreFields(t, 'netSentiment', netMeaning, (row) => rounded(netSentiment(row)), isOfFew),
    totalMentions: t.field({
      type: 'Int',
      view: 'rest',
      description: ratedMeaning,
      resolve: ratedAnswers,
    }),
    changes: t.field({
      type: toneChanges,
      nullable: true,
      view: 'graph',
      description: `${changesMeaning} Null without \`compare\`.`,
      resolve: (now) => (now.previous ? { now, before: now.previous } : null),
    }),
    metrics: metricsField(t, toneMetrics, (counts) => counts),
  }),
})
