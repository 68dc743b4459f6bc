import { rounded } from '../../core/metrics.ts'
import { type HistoryRow, type Ranking, visibility } from '../../resolvers/visibility/visibility.ts'
import { compareArgs, filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { answeredBuckets, bucketFields, intervalArgs, ofBucket } from '../kit/history.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { report } from '../kit/report.ts'
import { type FieldsOf, onlyWith, reportFields } from '../kit/report-fields.ts'
import { reportParents } from '../kit/slice-parents.ts'
import { rowParts, visibilityPlatform } from './counts.ts'
import { visibilityComparison, visibilitySummary } from './summary.ts'

type Report = Awaited<ReturnType<typeof visibility>>

const point = builder.objectRef<HistoryRow>('VisibilityPoint').implement({
  description: 'Visibility of the brand in one row of a history.',
  fields: (t) => {
    const parts = rowParts(t, ...ofBucket('answers'))
    return {
      ...bucketFields(t),
      visibilityScore: parts.score(),
      metrics: parts.metrics(),
    }
  },
})

type Entity = Ranking['entities'][number]

const entityMetrics = metricsType<Entity>(
  'IndustryEntityMetrics',
  'The visibility score of a tracked brand with its numerator and denominator.',
  {
    visibilityScore: {
      description: 'Percent of answers in the window that name this brand.',
      measure: 'named',
      resolve: (entity) => entity.responseMentionRate,
    },
  },
)

/** The score of a brand, under the word of each door. */
const entityScore = (t: FieldsOf<Entity>, view: 'rest' | 'graph') =>
  t.float({
    view,
    nullable: true,
    description: 'Percent of answers in the window that name this brand; null without answers.',
    resolve: (it) => rounded(it.responseMentionRate),
  })

export const rankedBrand = builder.objectRef<Entity>('IndustryEntity').implement({
  description: 'A brand in the ranking of all tracked brands.',
  fields: (t) => ({
    name: t.exposeString('name', { view: 'rest', description: 'Name of the brand.' }),
    domain: t.exposeString('domain', { view: 'rest', description: 'Main domain of the brand.' }),
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Rank by the number of answers that name the brand, from 1; ties by name.',
    }),
    mentions: t.expose('mentions', {
      graphName: 'mentionCount',
      type: 'Int',
      description: "Occurrences of the brand's name in answers in the window.",
    }),
    responseMentionRate: entityScore(t, 'rest'),
    visibilityScore: entityScore(t, 'graph'),
    isBrand: t.exposeBoolean('isBrand', {
      view: 'rest',
      description: "True for the project's own brand, false for a competitor.",
    }),
    metrics: metricsField(t, entityMetrics, (it) => it),
  }),
})

const industryRanking = builder.objectRef<Ranking>('IndustryRanking').implement({
  description: 'The own brand and its competitors, ranked by the number of answers that name them.',
  fields: (t) => ({
    entities: t.field({
      type: [rankedBrand],
      description: 'The first 25 brands of the ranking.',
      resolve: (ranking) => ranking.entities,
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether the ranking has more than 25 brands.',
    }),
  }),
})

// REST adds parts by `include`; a GraphQL client selects fields.
const includeArgs = builder.args((t) => ({
  include: t.stringList({
    description: 'Parts to add to the report: `industryRanking`.',
    defaultValue: [],
    extensions: { view: 'rest', param: { values: ['industryRanking'], list: true } },
  }),
}))

/** `isRanked` is false when a REST request does not include the ranking. */
const visibilityReport = builder.objectRef<Report & { isRanked: boolean }>('Visibility').implement({
  description: 'Visibility of the brand. Only selected fields are counted.',
  fields: (t) => ({
    project: reportFields.project(t),
    summary: t.field({
      type: visibilitySummary,
      description: 'Visibility in the whole window.',
      resolve: (it) => it.summary,
    }),
    platforms: t.field({
      type: [visibilityPlatform],
      description: 'AI platforms that have answers, best score first.',
      resolve: (it) => it.platforms(),
    }),
    trend: t.field({
      type: [point],
      ...answeredBuckets,
      args: intervalArgs,
      resolve: (it, { interval }) => it.trend(interval),
    }),
    comparison: t.field({
      view: 'rest',
      type: visibilityComparison,
      ...onlyWith('`compare`', 'An earlier window and the changes since.'),
      resolve: (it) => it.comparison,
    }),
    comparedWindow: reportFields.comparison(t),
    industryRanking: t.field({
      type: industryRanking,
      view: 'graph',
      description: 'Ranking of the own brand and its competitors.',
      resolve: (it) => it.ranking(),
    }),
    includedRanking: t.field({
      type: industryRanking,
      view: 'rest',
      restName: 'industryRanking',
      nullable: true,
      omitNull: true,
      description:
        'Ranking of the own brand and its competitors. Present only with `include=industryRanking`.',
      resolve: (it) => (it.isRanked ? it.ranking() : null),
    }),
    ...reportFields.window(t),
  }),
})

report('visibility', {
  type: visibilityReport,
  description: 'Visibility of the brand in the answers of AI assistants.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...compareArgs, ...includeArgs },
  resolve: async (scope, args) => ({
    ...(await visibility(scope, args)),
    isRanked: args.include == null || args.include.includes('industryRanking'),
  }),
})
