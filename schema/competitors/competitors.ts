import { rounded } from '../../core/metrics.ts'
import {
  type CompetitorDay,
  type CompetitorDetail,
  type CompetitorRow,
  competitor,
  competitors,
} from '../../resolvers/competitors/competitors.ts'
import { filterArgs, pageArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { type FieldsOf, paginationWithTotal, reportFields } from '../kit/report-fields.ts'

const mentionRate = 'Percent of answers in the window that name the competitor.'
const position =
  'Mean rank of the competitor in the answers that name the competitor. A list or table that ranks gives its numbers, else the first mention counts.'

const rowFields = (t: FieldsOf<CompetitorRow>) => ({
  id: t.exposeID('id', { description: 'UUID of the competitor.' }),
  name: t.exposeString('name', { description: 'Name of the competitor.' }),
  domain: t.exposeString('domain', { description: 'Registrable domain of the competitor.' }),
  mentions: t.expose('mentions', {
    type: 'Int',
    description:
      'Mentions of the competitor in answers in the window; one answer may have several.',
  }),
  responsesWithMention: t.expose('responsesWithMention', {
    type: 'Int',
    description: 'Answers in the window that name the competitor.',
  }),
  responseMentionRate: t.float({
    nullable: true,
    description: `${mentionRate} Null without answers.`,
    resolve: (row) => rounded(row.responseMentionRate),
  }),
  averagePosition: t.float({
    nullable: true,
    description: `${position} Null when no answer names the competitor.`,
    resolve: (row) => rounded(row.averagePosition),
  }),
  citations: t.expose('citations', {
    type: 'Int',
    description: 'Citations of the domain of the competitor in answers in the window.',
  }),
})

/** The graph has the same numbers in `visibility` of each `Brand`. */
const competitorRow = builder.objectRef<CompetitorRow>('CompetitorRow').implement({
  description: 'A competitor, with how often answers name and cite the competitor.',
  extensions: { restName: 'Competitor' },
  fields: rowFields,
})

const dayRate = 'Percent of answers of the day that name the competitor.'

const competitorDay = builder.objectRef<CompetitorDay>('CompetitorDay').implement({
  description: 'How often the answers of one day name a competitor.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'UTC day of the answers.' }),
    responseMentionRate: t.float({
      nullable: true,
      description: `${dayRate} Null without answers.`,
      resolve: (day) => rounded(day.responseMentionRate),
    }),
    responsesWithMention: t.expose('responsesWithMention', {
      type: 'Int',
      description: 'Answers of the day that name the competitor.',
    }),
    totalResponses: t.expose('totalResponses', {
      type: 'Int',
      description: 'Answers of the day.',
    }),
  }),
})

const competitorDetail = builder.objectRef<CompetitorDetail>('CompetitorDetail').implement({
  description: 'A competitor with its trend by day.',
  fields: (t) => ({
    ...rowFields(t),
    trend: t.expose('trend', {
      type: [competitorDay],
      description: 'Days that have answers, oldest first.',
    }),
  }),
})

const competitorList = builder
  .objectRef<Awaited<ReturnType<typeof competitors>>>('CompetitorList')
  .implement({
    description: 'A page of competitors: by answers that name them, most first.',
    fields: (t) => ({
      project: reportFields.project(t),
      competitors: t.expose('competitors', {
        type: [competitorRow],
        description:
          'Competitors by answers that name them, most first; then by mentions, then by name. Competitors without mentions are included.',
      }),
      totalCount: t.field({
        type: 'Int',
        description: 'Alias of `pagination.totalCount`, kept for old clients.',
        resolve: (list) => list.pagination.total,
      }),
      pagination: t.expose('pagination', {
        type: paginationWithTotal,
        description: 'Where the page begins and ends.',
      }),
      ...reportFields.window(t),
    }),
  })

const competitorReport = builder
  .objectRef<Awaited<ReturnType<typeof competitor>>>('CompetitorReport')
  .implement({
    description: 'How often answers name and cite one competitor.',
    fields: (t) => ({
      project: reportFields.project(t),
      competitor: t.expose('competitor', {
        type: competitorDetail,
        description: 'The competitor with its trend by day.',
      }),
      ...reportFields.window(t),
    }),
  })

report('competitors', {
  type: competitorList,
  view: 'rest',
  description: 'How often answers name and cite each competitor.',
  args: { ...windowArgs, ...filterArgs, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => competitors(scope, args as typeof args & Page),
})

report('competitor', {
  type: competitorReport,
  view: 'rest',
  description: 'How often answers name and cite one competitor, with the trend by day.',
  args: {
    competitorId: builder.args((t) => ({
      competitorId: t.id({ required: true, description: 'Id of the competitor.' }),
    })).competitorId,
    ...windowArgs,
    ...filterArgs,
  },
  resolve: (scope, args) => competitor(scope, { ...args, competitorId: String(args.competitorId) }),
})

/** What the argument rules guarantee once defaults are filled in. */
interface Page {
  limit: number
  offset: number
}
