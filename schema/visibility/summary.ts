import { rounded } from '../../core/metrics.ts'
import type {
  DayRow,
  Ranking,
  Summary,
  SummaryDeltas,
  visibility,
} from '../../resolvers/visibility/visibility.ts'
import { flatScore, position } from '../../resolvers/visibility/visibility.ts'
import { comparisonMode } from '../kit/args.ts'
import { builder, type Types } from '../kit/builder.ts'
import { dateRangeBlock, projectReference } from '../kit/report-fields.ts'
import { meaning, rowParts, visibilityMetrics, visibilityPlatform } from './metrics.ts'

const scoreChange =
  '`visibilityScore` minus that of the equal window just before, in percentage points; null when either has no answers.'

const counts = {
  totalResponses: ['responses', meaning.responses],
  responsesWithBrand: ['named', meaning.named],
  totalMentions: ['mentions', meaning.mentions],
  totalCitations: ['citations', 'Citations: one for each URL that an answer cites.'],
  totalSources: ['sources', 'Distinct cited domains.'],
} as const

/** The counts of a summary or of its deltas, under the summary's names. */
function countFields<Shape extends object>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
  read: (shape: Shape, name: (typeof counts)[keyof typeof counts][0]) => Promise<number>,
) {
  const count = (key: keyof typeof counts) =>
    t.field({
      type: 'SafeInt',
      description: counts[key][1],
      resolve: (shape) => read(shape as Shape, counts[key][0]) as never,
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
  description: 'How visible the brand is in one window; ratios are null when it has no answers.',
  fields: (t) => {
    const ofScore = (options: { view?: 'rest'; description: string }) =>
      t.float({
        ...options,
        nullable: true,
        resolve: async (it) => flatScore(await it.presence()),
      })
    return {
      visibilityScore: ofScore({ description: meaning.score }),
      scoreChange: t.float({
        nullable: true,
        description: scoreChange,
        resolve: async (it) => rounded(await it.scoreChange()),
      }),
      responseMentionRate: ofScore({ description: meaning.score }),
      mentionRate: ofScore({ view: 'rest', description: meaning.mentionRate }),
      overallMentionRate: ofScore({ view: 'rest', description: meaning.mentionRate }),
      averagePosition: t.float({
        nullable: true,
        description: meaning.position,
        resolve: async (it) => rounded(position(await it.presence())),
      }),
      ...countFields(t, async (it, name) => {
        const cited = name === 'citations' || name === 'sources'
        return (await (cited ? it.citations() : it.presence()))[name]
      }),
      metrics: t.field({
        type: visibilityMetrics,
        view: 'graph',
        description: 'The ratios with their numerators, denominators and intervals.',
        resolve: (it) => it.presence(),
      }),
    }
  },
})

const deltas = builder.objectRef<SummaryDeltas>('VisibilityDeltas').implement({
  description:
    'The window asked for minus the compared one, from the unrounded values; null where either has no denominator.',
  fields: (t) => {
    const points = (options: { view?: 'rest' } = {}) =>
      t.float({
        ...options,
        nullable: true,
        description: 'In percentage points.',
        resolve: (it) => it.score(),
      })
    return {
      visibilityScore: points(),
      scoreChange: t.float({
        nullable: true,
        description: 'In percentage points.',
        resolve: (it) => it.scoreChange(),
      }),
      responseMentionRate: points(),
      mentionRate: points({ view: 'rest' }),
      overallMentionRate: points({ view: 'rest' }),
      averagePosition: t.float({
        nullable: true,
        description: 'In places: above 0 the brand comes later than it did.',
        resolve: (it) => it.averagePosition(),
      }),
      ...countFields(t, (it, name) => it.count(name)),
    }
  },
})

type Report = Awaited<ReturnType<typeof visibility>>

const comparison = builder
  .objectRef<NonNullable<Report['comparison']>>('VisibilityComparison')
  .implement({
    description: 'An earlier window, and what has changed since.',
    fields: (t) => ({
      mode: t.expose('mode', { type: comparisonMode, description: 'Which window it is.' }),
      dateRange: t.expose('dateRange', { type: dateRangeBlock, description: 'Its days.' }),
      previous: t.field({
        type: summary,
        description: 'Its numbers.',
        resolve: (it) => it.previous,
      }),
      deltas: t.field({ type: deltas, description: 'The changes.', resolve: (it) => it.deltas }),
    }),
  })

const point = builder.objectRef<DayRow>('VisibilityPoint').implement({
  description: 'How visible the brand was on one day.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
      visibilityScore: parts.score(),
      metrics: parts.metrics(),
    }
  },
})

type Entity = Ranking['entities'][number]

const entityMetrics = builder.objectRef<Entity>('IndustryEntityMetrics').implement({
  description: 'The ratios of a brand with their numerators and denominators.',
  fields: (t) => ({
    responseMentionRate: t.field({
      type: 'Metric',
      description: 'Answers that name it, out of all answers in scope.',
      resolve: (entity) => entity.responseMentionRate,
    }),
  }),
})

const entity = builder.objectRef<Entity>('IndustryEntity').implement({
  description: 'A tracked brand among its rivals.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    domain: t.exposeString('domain', { description: 'Its main domain.' }),
    rank: t.expose('rank', {
      type: 'SafeInt',
      description: 'Place by the answers that name it, then name.',
    }),
    mentions: t.expose('mentions', { type: 'SafeInt', description: 'How often answers name it.' }),
    responseMentionRate: t.float({
      nullable: true,
      description: 'Percent of the answers in scope that name it; null when there are none.',
      resolve: (it) => rounded(it.responseMentionRate),
    }),
    isBrand: t.exposeBoolean('isBrand', { description: "Whether it is the project's own brand." }),
    metrics: t.field({
      type: entityMetrics,
      view: 'graph',
      description: 'The ratio with its numerator, denominator and interval.',
      resolve: (it) => it,
    }),
  }),
})

const industryRanking = builder.objectRef<Ranking>('IndustryRanking').implement({
  description: 'The own brand and its competitors by the answers that name them.',
  fields: (t) => ({
    entities: t.field({
      type: [entity],
      description: 'The first 25.',
      resolve: (ranking) => ranking.entities,
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more brands are tracked.' }),
  }),
})

/** `isRanked` false: the request names what it wants, and the ranking is not among it. */
export const visibilityReport = builder
  .objectRef<Report & { isRanked: boolean }>('Visibility')
  .implement({
    description: 'How visible the brand is. What is not selected is not counted.',
    fields: (t) => ({
      project: t.field({
        type: projectReference,
        view: 'rest',
        description: 'The project.',
        resolve: (it) => it.scope,
      }),
      summary: t.field({
        type: summary,
        description: 'The window as a whole.',
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
        nullable: true,
        omitNull: true,
        description: 'An earlier window beside this one. Present only with `compare`.',
        resolve: (it) => it.comparison,
      }),
      industryRanking: t.field({
        type: industryRanking,
        nullable: true,
        omitNull: true,
        description: 'The own brand among its competitors. In REST present only when included.',
        resolve: (it) => (it.isRanked ? it.ranking() : null),
      }),
      dateRange: t.expose('dateRange', { type: dateRangeBlock, description: 'The window.' }),
    }),
  })
