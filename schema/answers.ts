import { tones } from '../core/text/sentiment.ts'
import { type AnswerListArgs, answer, answers } from '../resolvers/answers/answers.ts'
import type { AnswerCitation, AnswerMention, AnswerRow } from '../resolvers/answers/parts.ts'
import { filterArgs, pageArgs, windowArgs } from './kit/args.ts'
import { builder, report, type Types } from './kit/builder.ts'
import { lookup } from './kit/lookup.ts'
import { reportFields } from './kit/report-fields.ts'

const toneMeanings = {
  positive: 'Speaks well of the brand.',
  neutral: 'Neither praise nor blame.',
  negative: 'Speaks ill of the brand.',
}

const tone = builder.enumType('Tone', {
  description: 'How an answer speaks of a brand that it names.',
  values: Object.fromEntries(
    tones.map((name) => [name, { description: toneMeanings[name] }]),
  ) as Record<keyof typeof toneMeanings, { description: string }>,
})

const citation = builder.objectRef<AnswerCitation>('AnswerCitation').implement({
  description: 'A URL that an answer cites.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The normalised URL.' }),
    domain: t.exposeString('domain', { description: 'Its registrable domain.' }),
    title: t.string({
      nullable: true,
      description: 'The title that the answer showed; null when it showed none.',
      resolve: ({ title }) => title || null,
    }),
    position: t.expose('position', {
      type: 'SafeInt',
      description: 'Its place among the citations of the answer.',
    }),
  }),
})

const mention = builder.objectRef<AnswerMention>('AnswerMention').implement({
  description: 'A tracked brand that an answer names.',
  fields: (t) => ({
    brandId: t.exposeID('brandId', {
      description: 'Id of the competitor, or of the project for its own brand.',
    }),
    name: t.exposeString('name', { description: 'The brand.' }),
    isBrand: t.exposeBoolean('isBrand', { description: "Whether it is the project's own brand." }),
    occurrences: t.expose('occurrences', {
      type: 'SafeInt',
      description: 'How often the answer names it.',
    }),
    rank: t.expose('rank', {
      type: 'SafeInt',
      description: 'Its place among the tracked brands by first occurrence.',
    }),
    sentiment: t.expose('sentiment', {
      type: tone,
      nullable: true,
      description: 'How the answer speaks of it; null when that is not known.',
    }),
  }),
})

/** `long` are the fields that a list shows in GraphQL alone. */
const answerFields = (
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, AnswerRow>,
  long: { view?: 'graph' },
) => ({
  id: t.exposeID('id', { description: 'UUID.' }),
  promptId: t.exposeID('promptId', { description: 'The prompt that it answers.' }),
  promptText: t.string({
    ...long,
    description: 'The wording of the prompt now.',
    resolve: (row) => row.promptText(),
  }),
  platform: t.exposeString('platform', { description: 'Id of the AI platform.' }),
  model: t.string({
    nullable: true,
    description: 'Raw model id; null when the import named none.',
    resolve: (row) => row.model || null,
  }),
  locationId: t.exposeID('locationId', {
    nullable: true,
    description: 'Tracked location that it was collected at; null when it was at none.',
  }),
  text: t.exposeString('text', { description: 'The answer.' }),
  brandMentioned: t.exposeBoolean('brandMentioned', {
    description: 'Whether it names the own brand.',
  }),
  position: t.expose('position', {
    type: 'SafeInt',
    nullable: true,
    description:
      'Place of the own brand among the tracked brands that it names, by first occurrence; null when it does not name the brand.',
  }),
  sentiment: t.expose('sentiment', {
    type: tone,
    nullable: true,
    description:
      'How it speaks of the own brand; null when it does not name the brand, or the tone is not known.',
  }),
  mentions: t.field({
    ...long,
    type: [mention],
    description: 'The tracked brands that it names, by rank.',
    resolve: (row) => row.mentions,
  }),
  citations: t.field({
    type: [citation],
    description: 'The URLs that it cites, by position.',
    resolve: (row) => row.citations,
  }),
  searchQueries: t.stringList({
    ...long,
    description: 'The sub-queries that the platform searched for, in its order.',
    resolve: (row) => row.searchQueries(),
  }),
  collectedAt: t.expose('collectedAt', {
    type: 'DateTime',
    description: 'When it was collected.',
  }),
})

export const answerRow = builder.objectRef<AnswerRow>('Answer').implement({
  description: 'What an AI assistant answered to a prompt.',
  fields: (t) => answerFields(t, { view: 'graph' }),
})

const answerDetail = builder.objectRef<AnswerRow>('AnswerDetail').implement({
  description: 'What an AI assistant answered to a prompt, with all that hangs on it.',
  fields: (t) => answerFields(t, {}),
})

const answerList = builder.objectRef<Awaited<ReturnType<typeof answers>>>('AnswerList').implement({
  description: 'A page of answers.',
  fields: (t) => ({
    project: reportFields.project(t),
    answers: t.expose('answers', { type: [answerRow], description: 'Newest first, ties by id.' }),
    pagination: reportFields.pagination(t),
    dateRange: reportFields.dateRange(t),
  }),
})

const pageSize = pageArgs({ default: 50, max: 1000 })

report('answers', {
  type: answerList,
  description: 'What AI assistants answered, newest first.',
  args: {
    ...windowArgs,
    ...filterArgs,
    ...builder.args((t) => ({
      promptId: t.id({ description: 'Only answers to this prompt.' }),
      mentioned: t.boolean({
        description: 'True: only answers that name the own brand; false: only those that do not.',
      }),
    })),
    ...pageSize,
  },
  resolve: (scope, args) => answers(scope, args as typeof args & AnswerListArgs),
})

report('promptAnswers', {
  type: answerList,
  description: 'What AI assistants answered to one prompt, newest first.',
  args: {
    ...builder.args((t) => ({
      promptId: t.id({ required: true, description: 'Id of the prompt.' }),
    })),
    ...windowArgs,
    platform: filterArgs.platform,
    ...pageSize,
  },
  resolve: (scope, args) => answers(scope, args as typeof args & AnswerListArgs),
})

lookup('answer', {
  description: 'One answer with its mentions, citations and search queries.',
  id: ['answerId', 'Id of the answer.'],
  type: answerRow,
  nullable: false,
  rest: {
    field: 'getAnswer',
    type: builder.objectRef<AnswerRow>('AnswerReply').implement({
      description: 'One answer.',
      fields: (t) => ({
        answer: t.field({
          type: answerDetail,
          description: 'The answer with its mentions, citations and search queries.',
          resolve: (row) => row,
        }),
      }),
    }),
    problems: ['query_timeout'],
  },
  find: answer,
})
