import { rounded, roundedOrZero } from '../../core/metrics.ts'
import type {
  LocationRow,
  PromptRow,
  TopicRow,
  visibilityByLocation,
  visibilityByPrompt,
  visibilityByTopic,
  visibilityHistory,
} from '../../resolvers/visibility/lists.ts'
import type { DayRow, visibilityByPlatform } from '../../resolvers/visibility/visibility.ts'
import { comparisonMode } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { dateRangeBlock, paginationBlock, reportFields } from '../kit/report-fields.ts'
import { mentionsPerResponse, overall, rowParts, visibilityPlatform } from './metrics.ts'

const perResponse =
  'Mentions of the brand per 100 answers; may pass 100. Kept for old clients: see `responseMentionRate`.'

const historyPoint = builder.objectRef<DayRow>('VisibilityHistoryPoint').implement({
  description: 'How visible the brand was on one day.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
      visibilityScore: parts.score(),
      responseMentionRate: parts.score(),
      mentionRate: t.float({
        view: 'rest',
        description: perResponse,
        resolve: ({ tally }) => roundedOrZero(mentionsPerResponse(tally)),
      }),
      responsesWithBrand: parts.named(),
      totalResponses: parts.responses(),
      totalMentions: parts.mentions(),
      metrics: parts.metrics(),
    }
  },
})

export const historyReport = builder
  .objectRef<Awaited<ReturnType<typeof visibilityHistory>>>('VisibilityHistory')
  .implement({
    description: 'How visible the brand was from day to day.',
    fields: (t) => ({
      project: reportFields.project(t),
      overallMentionRate: t.float({
        nullable: true,
        view: 'rest',
        description: perResponse,
        resolve: ({ total }) => rounded(mentionsPerResponse(total)),
      }),
      history: t.field({
        type: [historyPoint],
        description: 'Days that have answers, oldest first.',
        resolve: (report) => report.history,
      }),
      dateRange: reportFields.dateRange(t),
      metrics: overall(t).metrics(),
    }),
  })

const whileCompared = { nullable: true, omitNull: { unless: 'compare' } } as const

const topicRow = builder.objectRef<TopicRow>('VisibilityTopic').implement({
  description: 'How visible the brand is in the answers to the prompts of a topic.',
  fields: (t) => {
    const parts = rowParts(t)
    const previous = () =>
      t.float({
        ...whileCompared,
        description:
          'The same in the compared window; null without answers there. Present only with `compare`.',
        resolve: ({ previousScore }) => previousScore && rounded(previousScore),
      })
    const delta = () =>
      t.float({
        ...whileCompared,
        description:
          'The change since, in percentage points, from the unrounded values. Present only with `compare`.',
        resolve: ({ scoreDelta }) => scoreDelta,
      })
    return {
      topicId: t.exposeID('topicId', { description: 'UUID.' }),
      topicName: t.exposeString('topicName', { description: 'Its name.' }),
      visibilityScore: parts.score(),
      responseMentionRate: parts.score(),
      totalResponses: parts.responses(),
      responsesWithBrand: parts.named(),
      previousVisibilityScore: previous(),
      visibilityScoreDelta: delta(),
      previousResponseMentionRate: previous(),
      responseMentionRateDelta: delta(),
      metrics: parts.metrics(),
    }
  },
})

type TopicReport = Awaited<ReturnType<typeof visibilityByTopic>>

const topicComparison = builder
  .objectRef<NonNullable<TopicReport['comparison']>>('VisibilityTopicComparison')
  .implement({
    description: 'Which window the topics are compared with.',
    fields: (t) => ({
      mode: t.expose('mode', { type: comparisonMode, description: 'Which window it is.' }),
      dateRange: t.expose('dateRange', { type: dateRangeBlock, description: 'Its days.' }),
    }),
  })

export const topicReport = builder.objectRef<TopicReport>('VisibilityByTopic').implement({
  description: 'How visible the brand is by topic.',
  fields: (t) => ({
    project: reportFields.project(t),
    topics: t.field({
      type: [topicRow],
      description:
        'Topics that have answers, best score first. A prompt of several topics counts under each.',
      resolve: (report) => report.topics,
    }),
    comparison: t.field({
      type: topicComparison,
      nullable: true,
      omitNull: true,
      description: 'The compared window. Present only with `compare`.',
      resolve: (report) => report.comparison,
    }),
    dateRange: reportFields.dateRange(t),
  }),
})

const promptRow = builder.objectRef<PromptRow>('VisibilityPrompt').implement({
  description: 'How visible the brand is in the answers to one prompt.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      promptId: t.exposeID('promptId', { description: 'UUID.' }),
      text: t.exposeString('text', { description: 'What is asked now.' }),
      topicId: t.exposeID('topicId', {
        nullable: true,
        description: 'Its first topic; null without any.',
      }),
      visibilityScore: parts.score(),
      mentionRate: parts.mentionRate(),
      averagePosition: parts.position(),
      totalResponses: parts.responses(),
      responsesWithBrand: parts.named(),
      metrics: parts.metrics(),
    }
  },
})

export const promptReport = builder
  .objectRef<Awaited<ReturnType<typeof visibilityByPrompt>>>('VisibilityByPrompt')
  .implement({
    description: 'How visible the brand is by prompt, a page.',
    fields: (t) => ({
      project: reportFields.project(t),
      overallVisibilityScore: overall(t).score({
        description: 'Percent of all answers in scope that name the brand; null without any.',
      }),
      overallMentionRate: overall(t).score({
        view: 'rest',
        description: 'Alias of `overallVisibilityScore`, kept for old clients.',
      }),
      prompts: t.field({
        type: [promptRow],
        description: 'Prompts that have answers, best score first, ties by id.',
        resolve: (report) => report.prompts,
      }),
      pagination: t.field({
        type: paginationBlock,
        description: 'Where the page stands.',
        resolve: (report) => report.pagination,
      }),
      dateRange: reportFields.dateRange(t),
      metrics: overall(t).metrics(),
    }),
  })

const locationRow = builder.objectRef<LocationRow>('VisibilityLocation').implement({
  description: 'How visible the brand is in the answers collected at one place.',
  fields: (t) => {
    const parts = rowParts(t)
    return {
      locationId: t.exposeID('locationId', { description: 'UUID.' }),
      countryCode: t.exposeString('countryCode', { description: 'ISO 3166-1 alpha-2.' }),
      city: t.exposeString('city', { nullable: true, description: 'City.' }),
      visibilityScore: parts.score(),
      totalResponses: parts.responses(),
      responsesWithBrand: parts.named(),
      metrics: parts.metrics(),
    }
  },
})

export const locationReport = builder
  .objectRef<Awaited<ReturnType<typeof visibilityByLocation>>>('VisibilityByLocation')
  .implement({
    description: 'How visible the brand is by tracked location.',
    fields: (t) => ({
      project: reportFields.project(t),
      locations: t.field({
        type: [locationRow],
        description:
          'Locations that have answers, best score first. Answers without a location are in no row.',
        resolve: (report) => report.locations,
      }),
      dateRange: reportFields.dateRange(t),
    }),
  })

export const platformReport = builder
  .objectRef<Awaited<ReturnType<typeof visibilityByPlatform>>>('VisibilityByPlatform')
  .implement({
    description: 'How visible the brand is by AI platform.',
    fields: (t) => ({
      project: reportFields.project(t),
      platforms: t.field({
        type: [visibilityPlatform],
        description: 'AI platforms that have answers, best score first.',
        resolve: (report) => report.platforms,
      }),
      dateRange: reportFields.dateRange(t),
    }),
  })
