import { rounded } from '../../core/metrics.ts'
import { type CellCounts, score } from '../../resolvers/visibility/counts.ts'
import {
  type DayRow,
  flatScore,
  position,
  type Ranking,
  type Summary,
  type SummaryDeltas,
  visibility,
} from '../../resolvers/visibility/visibility.ts'
import { compareArgs, filterArgs, windowArgs } from '../kit/args.ts'
import { builder, type Types } from '../kit/builder.ts'
import { changesMeaning, changesType } from '../kit/change.ts'
import { reportParents } from '../kit/edge.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { report } from '../kit/report.ts'
import { onlyWith, reportFields } from '../kit/report-fields.ts'
import {
  meaningOf,
  reader,
  rowParts,
  scoreAlias,
  visibilityMetrics,
  visibilityPlatform,
} from './counts.ts'

const inWindow = meaningOf('answers in the window')

const countNames = {
  totalResponses: 'responses',
  responsesWithBrand: 'named',
  totalMentions: 'mentions',
  totalCitations: 'citations',
  totalSources: 'sources',
} as const

type CountName = (typeof countNames)[keyof typeof countNames]

/** The counts of a summary or of its deltas, under the summary's names. */
function countFields<Shape extends object>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
  descriptionOf: (name: CountName) => string,
  read: (shape: Shape, name: CountName) => Promise<number>,
) {
  const count = (key: keyof typeof countNames) =>
    t.field({
      type: 'SafeInt',
      description: descriptionOf(countNames[key]),
      resolve: (shape) => read(shape as Shape, countNames[key]) as never,
    })
  return {
    totalResponses: count('totalResponses'),
    responsesWithBrand: count('responsesWithBrand'),
    totalMentions: count('totalMentions'),
    totalCitations: count('totalCitations'),
    totalSources: count('totalSources'),
  }
}

const summary = builder.objectRef<Summary>('VisibilitySummary').implement({
  description:
    'Visibility of the brand in one window. Ratios are null when the window has no answers.',
  fields: (t) => {
    const ofScore = (options: { view?: 'rest'; description: string }) =>
      t.float({
        ...options,
        nullable: true,
        resolve: async (it) => flatScore(await it.presence()),
      })
    return {
      visibilityScore: ofScore({ description: inWindow.score }),
      scoreChange: t.float({
        nullable: true,
        description:
          '`visibilityScore` minus its value in the equal window just before, in percentage points. Null when either window has no answers.',
        resolve: async (it) => rounded(await it.scoreChange()),
      }),
      responseMentionRate: ofScore({ description: inWindow.score }),
      mentionRate: ofScore({ view: 'rest', description: scoreAlias }),
      overallMentionRate: ofScore({ view: 'rest', description: scoreAlias }),
      averagePosition: t.float({
        nullable: true,
        description: inWindow.position,
        resolve: async (it) => rounded(position(await it.presence())),
      }),
      ...countFields(
        t,
        (name) => inWindow[name],
        async (it, name) => {
          const cited = name === 'citations' || name === 'sources'
          return (await (cited ? it.citations() : it.presence()))[name]
        },
      ),
      metrics: metricsField(t, visibilityMetrics, (it) => it.presence()),
    }
  },
})

const countChanges = {
  responses: 'Change of the number of answers.',
  named: 'Change of the number of answers that name the brand.',
  mentions: "Change of the number of occurrences of the brand's name.",
  citations: 'Change of the number of citations.',
  sources: 'Change of the number of distinct cited domains.',
}

const deltas = builder.objectRef<SummaryDeltas>('VisibilityDeltas').implement({
  description:
    'Numbers of the requested window minus those of the compared window, from unrounded values. Null where either window has no denominator.',
  fields: (t) => {
    const points = (options: { view?: 'rest' } = {}) =>
      t.float({
        ...options,
        nullable: true,
        description: 'Change of the visibility score in percentage points.',
        resolve: (it) => it.score(),
      })
    return {
      visibilityScore: points(),
      scoreChange: t.float({
        nullable: true,
        description: 'Change of `scoreChange` in percentage points.',
        resolve: (it) => it.scoreChange(),
      }),
      responseMentionRate: points(),
      mentionRate: points({ view: 'rest' }),
      overallMentionRate: points({ view: 'rest' }),
      averagePosition: t.float({
        nullable: true,
        description: 'Change of the mean rank; above 0 the brand is named later than before.',
        resolve: (it) => it.averagePosition(),
      }),
      ...countFields(
        t,
        (name) => countChanges[name],
        (it, name) => it.count(name),
      ),
    }
  },
})

type Report = Awaited<ReturnType<typeof visibility>>

const changes = changesType<CellCounts>('VisibilityChanges', {
  visibilityScore: {
    description: 'Change of the visibility score in percentage points.',
    measure: 'named',
    resolve: score,
  },
  averagePosition: {
    description: 'Change of the mean rank; above 0 the brand is named later than before.',
    measure: 'position',
    resolve: position,
  },
})

const comparison = builder
  .objectRef<NonNullable<Report['comparison']>>('VisibilityComparison')
  .implement({
    description: 'An earlier window and the changes since.',
    fields: (t) => ({
      ...reportFields.comparedWindow(t),
      previous: t.field({
        type: summary,
        description: 'Numbers of the compared window.',
        resolve: (it) => it.previous,
      }),
      deltas: t.field({
        type: deltas,
        description: 'Changes since the compared window.',
        resolve: (it) => it.deltas,
      }),
      changes: t.field({
        type: changes,
        view: 'graph',
        description: changesMeaning,
        resolve: async ({ current, previous }) => {
          const [now, before] = await Promise.all([current.presence(), previous.presence()])
          return { now, before }
        },
      }),
    }),
  })

const point = builder.objectRef<DayRow>('VisibilityPoint').implement({
  description: 'Visibility of the brand on one day.',
  fields: (t) => {
    const parts = rowParts(t, 'answers of the day')
    return {
      date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
      visibilityScore: parts.score(),
      metrics: parts.metrics(),
    }
  },
})

type Entity = Ranking['entities'][number]

const entityMetrics = metricsType<Entity>(
  'IndustryEntityMetrics',
  'The mention rate of a tracked brand with its numerator and denominator.',
  {
    responseMentionRate: {
      description: 'Percent of answers in the window that name this brand.',
      measure: 'named',
      resolve: (entity) => entity.responseMentionRate,
    },
  },
)

const entity = builder.objectRef<Entity>('IndustryEntity').implement({
  description: 'A brand in the ranking of all tracked brands.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the brand.' }),
    domain: t.exposeString('domain', { description: 'Main domain of the brand.' }),
    rank: t.expose('rank', {
      type: 'SafeInt',
      description: 'Rank by the number of answers that name the brand, from 1; ties by name.',
    }),
    mentions: t.expose('mentions', {
      type: 'SafeInt',
      description: "Occurrences of the brand's name in answers in the window.",
    }),
    responseMentionRate: t.float({
      nullable: true,
      description: 'Percent of answers in the window that name this brand; null without answers.',
      resolve: (it) => rounded(it.responseMentionRate),
    }),
    isBrand: t.exposeBoolean('isBrand', {
      description: "True for the project's own brand, false for a competitor.",
    }),
    metrics: metricsField(t, entityMetrics, (it) => it),
  }),
})

const industryRanking = builder.objectRef<Ranking>('IndustryRanking').implement({
  description: 'The own brand and its competitors, ranked by the number of answers that name them.',
  fields: (t) => ({
    entities: t.field({
      type: [entity],
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
      type: summary,
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
      description: 'Days that have answers, oldest first.',
      resolve: (it) => it.trend(),
    }),
    comparison: t.field({
      type: comparison,
      ...onlyWith('`compare`', 'An earlier window and the changes since.'),
      resolve: (it) => it.comparison,
    }),
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
    dateRange: reportFields.dateRange(t),
  }),
})

report('visibility', {
  type: visibilityReport,
  description: 'Visibility of the brand in the answers of AI assistants.',
  slices: reportParents,
  args: { ...windowArgs, ...filterArgs, ...compareArgs, ...includeArgs },
  resolve: async (scope, args, context) => ({
    ...(await visibility(scope, args, reader(scope, context))),
    isRanked: args.include == null || args.include.includes('industryRanking'),
  }),
})
