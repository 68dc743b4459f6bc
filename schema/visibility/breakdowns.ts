import { rounded, roundedOrZero } from '../../core/metrics.ts'
import type { PageArgs } from '../../core/pagination.ts'
import {
  type LocationRow,
  type PromptRow,
  type TopicRow,
  visibilityByLocation,
  visibilityByPrompt,
  visibilityByTopic,
  visibilityHistory,
} from '../../resolvers/visibility/breakdowns.ts'
import { score } from '../../resolvers/visibility/counts.ts'
import { type HistoryRow, visibilityByPlatform } from '../../resolvers/visibility/visibility.ts'
import { compareArgs, compareInGraph, filterArgs, pageArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { changeField } from '../kit/change.ts'
import { loaders } from '../kit/context.ts'
import { answeredBuckets, bucketFields, intervalArgs, ofBucket } from '../kit/history.ts'
import { listOf } from '../kit/lists/connection.ts'
import { report } from '../kit/report.ts'
import { onlyCompared, onlyWith, reportFields } from '../kit/report-fields.ts'
import { reportParents } from '../kit/slice-parents.ts'
import {
  mentionsPerResponse,
  overall,
  rowParts,
  scoreChange,
  visibilityPlatform,
} from './counts.ts'

/** Visibility by day, topic, prompt, location and platform. */

const scoped = { ...windowArgs, ...filterArgs }

const mentionsPer100 = (answers: string) =>
  `Mentions of the brand per 100 ${answers}; may exceed 100. Kept for old clients; prefer \`responseMentionRate\`.`

const historyPoint = builder.objectRef<HistoryRow>('VisibilityHistoryPoint').implement({
  description: 'Visibility of the brand in one row of a history.',
  fields: (t) => {
    const parts = rowParts(t, ...ofBucket('answers'))
    return {
      ...bucketFields(t),
      visibilityScore: parts.score(),
      responseMentionRate: parts.rate(),
      mentionRate: t.float({
        view: 'rest',
        description: mentionsPer100('answers of the day'),
        resolve: ({ counts }) => roundedOrZero(mentionsPerResponse(counts)),
      }),
      averagePosition: parts.position({ view: 'graph' }),
      responsesWithBrand: parts.named(),
      totalResponses: parts.responses(),
      totalMentions: parts.mentions(),
      metrics: parts.metrics(),
    }
  },
})

report('visibilityHistory', {
  type: builder
    .objectRef<Awaited<ReturnType<typeof visibilityHistory>>>('VisibilityHistory')
    .implement({
      description: 'The history of the visibility of the brand.',
      fields: (t) => ({
        project: reportFields.project(t),
        overallMentionRate: t.float({
          nullable: true,
          view: 'rest',
          description: mentionsPer100('answers in the window'),
          resolve: ({ total }) => rounded(mentionsPerResponse(total)),
        }),
        history: t.field({
          type: [historyPoint],
          ...answeredBuckets,
          resolve: (list) => list.history,
        }),
        ...reportFields.window(t),
        metrics: overall(t).metrics(),
      }),
    }),
  description: 'Visibility of the brand by day, week or month.',
  restDescription: 'Visibility of the brand by day.',
  slices: reportParents,
  args: { ...scoped, ...intervalArgs },
  resolve: (scope, args) => visibilityHistory(scope, args),
})

export const topicRow = builder.objectRef<TopicRow>('VisibilityTopic').implement({
  description: 'Visibility of the brand in the answers to the prompts of one topic.',
  fields: (t) => {
    const parts = rowParts(t, "answers in the window to the topic's prompts")
    const previous = () =>
      t.float({
        view: 'rest',
        ...onlyCompared(
          "Percent of answers to the topic's prompts in the compared window that mention the brand. Null without answers.",
        ),
        resolve: ({ previousScore }) => previousScore && rounded(previousScore),
      })
    const delta = () =>
      t.float({
        view: 'rest',
        ...onlyCompared('Change since the compared window in percentage points.'),
        resolve: ({ scoreDelta }) => scoreDelta,
      })
    return {
      topicId: t.exposeID('topicId', { view: 'rest', description: 'UUID of the topic.' }),
      topicName: t.exposeString('topicName', { view: 'rest', description: 'Name of the topic.' }),
      visibilityScore: parts.score(),
      responseMentionRate: parts.rate(),
      totalResponses: parts.responses(),
      responsesWithBrand: parts.named(),
      previousVisibilityScore: previous(),
      visibilityScoreDelta: delta(),
      change: changeField(
        t,
        'named',
        'Change of `visibilityScore` in percentage points. Null without `compare`.',
        ({ counts, previousScore, previousCell }) => {
          return { now: score(counts), before: previousScore, cell: counts.cell, previousCell }
        },
      ),
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
    description: 'The window that topics are compared with.',
    fields: (t) => ({
      ...reportFields.comparedWindow(t),
    }),
  })

report('visibilityByTopic', {
  ...listOf(builder.objectRef<TopicReport>('VisibilityByTopic'), topicRow, {
    description: 'Visibility of the brand by topic.',
    rows: 'topics',
    isWhole: true,
    fields: (t) => ({
      project: reportFields.project(t),
      topics: t.field({
        type: [topicRow],
        description:
          'Topics that have answers, best score first. A prompt with several topics counts in each topic.',
        resolve: (list) => list.topics,
      }),
      comparison: t.field({
        view: 'rest',
        type: topicComparison,
        ...onlyWith('`compare`', 'The earlier window.'),
        resolve: (list) => list.comparison,
      }),
      comparedWindow: reportFields.comparison(t),
      ...reportFields.window(t),
    }),
  }),
  description: 'Visibility of the brand by topic.',
  args: { ...scoped, ...compareArgs },
  resolve: (scope, args, context) =>
    visibilityByTopic(scope, args, (id) => loaders(context).topicPrompts.load(id)),
})

export const promptRow = builder.objectRef<PromptRow>('VisibilityPrompt').implement({
  description: 'Visibility of the brand in the answers to one prompt.',
  fields: (t) => {
    const parts = rowParts(t, "the prompt's answers in the window")
    return {
      promptId: t.exposeID('promptId', { view: 'rest', description: 'UUID of the prompt.' }),
      text: t.exposeString('text', { view: 'rest', description: 'Current wording of the prompt.' }),
      topicId: t.exposeID('topicId', {
        view: 'rest',
        nullable: true,
        description: "Id of the prompt's first topic; null without topics.",
      }),
      visibilityScore: parts.score(),
      mentionRate: parts.mentionRate(),
      averagePosition: parts.position(),
      totalResponses: parts.responses(),
      responsesWithBrand: parts.named(),
      change: scoreChange(t),
      metrics: parts.metrics(),
    }
  },
})

report('visibilityByPrompt', {
  ...listOf(
    builder.objectRef<Awaited<ReturnType<typeof visibilityByPrompt>>>('VisibilityByPrompt'),
    promptRow,
    {
      rows: 'prompts',
      description: 'A page of prompts with the visibility of the brand in their answers.',
      fields: (t) => ({
        project: reportFields.project(t),
        overallVisibilityScore: overall(t).score({
          graphName: 'visibilityScore',
          description:
            'Percent of answers in the window that mention the brand. Null without answers.',
        }),
        overallMentionRate: overall(t).score({
          view: 'rest',
          description: 'Alias of `overallVisibilityScore`, kept for old clients.',
        }),
        prompts: t.field({
          type: [promptRow],
          description: 'Prompts that have answers, best score first.',
          resolve: (list) => list.prompts,
        }),
        pagination: reportFields.pagination(t),
        ...reportFields.window(t),
        metrics: overall(t).metrics(),
      }),
    },
  ),
  description: 'Visibility of the brand by prompt.',
  args: { ...scoped, ...compareInGraph, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => visibilityByPrompt(scope, args as typeof args & PageArgs),
})

export const locationRow = builder.objectRef<LocationRow>('VisibilityLocation').implement({
  description: 'Visibility of the brand in the answers collected at one tracked location.',
  fields: (t) => {
    const parts = rowParts(t, "the location's answers in the window")
    return {
      locationId: t.exposeID('locationId', {
        view: 'rest',
        description: 'UUID of the tracked location.',
      }),
      countryCode: t.exposeString('countryCode', {
        view: 'rest',
        description: 'ISO 3166-1 alpha-2 code of the country.',
      }),
      city: t.exposeString('city', {
        view: 'rest',
        nullable: true,
        description: 'City of the location; null without a city.',
      }),
      visibilityScore: parts.score(),
      totalResponses: parts.responses(),
      responsesWithBrand: parts.named(),
      change: scoreChange(t),
      metrics: parts.metrics(),
    }
  },
})

report('visibilityByLocation', {
  ...listOf(
    builder.objectRef<Awaited<ReturnType<typeof visibilityByLocation>>>('VisibilityByLocation'),
    locationRow,
    {
      description: 'Visibility of the brand by tracked location.',
      rows: 'locations',
      isWhole: true,
      fields: (t) => ({
        project: reportFields.project(t),
        locations: t.field({
          type: [locationRow],
          description:
            'Tracked locations that have answers, best score first. No row counts answers without a location.',
          resolve: (list) => list.locations,
        }),
        ...reportFields.window(t),
      }),
    },
  ),
  description: 'Visibility of the brand by tracked location.',
  args: { ...scoped, ...compareInGraph },
  resolve: (scope, args, context) =>
    visibilityByLocation(scope, args, (id) => loaders(context).locations.load(id)),
})

report('visibilityByPlatform', {
  type: builder
    .objectRef<Awaited<ReturnType<typeof visibilityByPlatform>>>('VisibilityByPlatform')
    .implement({
      description: 'Visibility of the brand by AI platform.',
      fields: (t) => ({
        project: reportFields.project(t),
        platforms: t.field({
          type: [visibilityPlatform],
          description: 'AI platforms that have answers, best score first.',
          resolve: (list) => list.platforms,
        }),
        ...reportFields.window(t),
      }),
    }),
  description: 'Visibility of the brand by AI platform.',
  args: { ...scoped, ...compareInGraph },
  resolve: (scope, args) => visibilityByPlatform(scope, args),
})
