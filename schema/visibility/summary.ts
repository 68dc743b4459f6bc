import { rounded } from '../../core/metrics.ts'
import { type CellCounts, score } from '../../resolvers/visibility/counts.ts'
import {
  flatScore,
  position,
  type Summary,
  type SummaryDeltas,
  type visibility,
} from '../../resolvers/visibility/visibility.ts'
import { builder, type Types } from '../kit/builder.ts'
import { changesMeaning, changesType } from '../kit/change.ts'
import { metricsField } from '../kit/metric.ts'
import { reportFields } from '../kit/report-fields.ts'
import { graphNames, meaningOf, scoreAlias, visibilityMetrics } from './counts.ts'

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
      graphName: graphNames[countNames[key]],
      type: 'Int',
      description: descriptionOf(countNames[key]),
      resolve: (shape) => read(shape as Shape, countNames[key]),
    })
  return {
    totalResponses: count('totalResponses'),
    responsesWithBrand: count('responsesWithBrand'),
    totalMentions: count('totalMentions'),
    totalCitations: count('totalCitations'),
    totalSources: count('totalSources'),
  }
}

/** The counts of a summary; its citations are read when a change asks for them. */
type InFull = CellCounts & { readonly cited: Summary['citations'] }

const inFull = async (it: Summary): Promise<InFull> => ({
  ...(await it.presence()),
  cited: it.citations,
})

const changes = changesType<InFull>(
  'VisibilityChanges',
  {
    visibilityScore: {
      description: 'Change of the visibility score in percentage points.',
      measure: 'named',
      resolve: score,
    },
    averagePosition: {
      description: 'Change of the mean rank; above 0 the brand is mentioned later than before.',
      measure: 'position',
      resolve: position,
    },
  },
  {
    answerCount: { what: 'the number of answers', resolve: ({ responses }) => responses },
    mentionedIn: {
      what: 'the number of answers that mention the brand',
      resolve: ({ named }) => named,
    },
    mentionCount: {
      what: "the number of occurrences of the brand's name",
      resolve: ({ mentions }) => mentions,
    },
    citationCount: {
      what: 'the number of citations',
      resolve: async ({ cited }) => (await cited()).citations,
    },
    domainCount: {
      what: 'the number of distinct cited domains',
      resolve: async ({ cited }) => (await cited()).sources,
    },
  },
)

export const visibilitySummary = builder.objectRef<Summary>('VisibilitySummary').implement({
  description: 'Visibility of the brand in one window. Ratios are null without answers.',
  fields: (t) => {
    const ofScore = (options: { view?: 'rest'; description: string; restDescription?: string }) =>
      t.float({
        ...options,
        nullable: true,
        resolve: async (it) => flatScore(await it.presence()),
      })
    return {
      visibilityScore: ofScore({
        description: `${inWindow.score} Null without answers in the window.`,
        restDescription: inWindow.score,
      }),
      scoreChange: t.float({
        view: 'rest',
        nullable: true,
        description:
          '`visibilityScore` minus that of the equal window just before, in percentage points. Null when either has no answers.',
        resolve: async (it) => rounded(await it.scoreChange()),
      }),
      responseMentionRate: ofScore({ view: 'rest', description: inWindow.rate }),
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
      changes: t.field({
        type: changes,
        nullable: true,
        view: 'graph',
        description: `${changesMeaning} Null without \`compare\`.`,
        resolve: async (it) => {
          if (!it.compared) return null
          const [now, before] = await Promise.all([inFull(it), inFull(it.compared)])
          return { now, before }
        },
      }),
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
  description: 'The window minus the compared window. Null where either has no answers.',
  fields: (t) => {
    const points = () =>
      t.float({
        nullable: true,
        description: 'Change of the visibility score in percentage points.',
        resolve: (it) => it.score(),
      })
    return {
      visibilityScore: points(),
      scoreChange: t.float({
        nullable: true,
        description:
          '`scoreChange` of the window minus that of the compared window, in percentage points.',
        resolve: (it) => it.scoreChange(),
      }),
      responseMentionRate: points(),
      mentionRate: points(),
      overallMentionRate: points(),
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

export const visibilityComparison = builder
  .objectRef<NonNullable<Report['comparison']>>('VisibilityComparison')
  .implement({
    description: 'An earlier window and the changes since.',
    fields: (t) => ({
      ...reportFields.comparedWindow(t),
      previous: t.field({
        type: visibilitySummary,
        description: 'Numbers of the compared window.',
        resolve: (it) => it.previous,
      }),
      deltas: t.field({
        type: deltas,
        description: 'Changes since the compared window.',
        resolve: (it) => it.deltas,
      }),
    }),
  })
