import { rankBases } from '../../core/text/ranks/numbered.ts'
import { tones } from '../../core/text/sentiment.ts'
import { type AnswerListArgs, answer, answers } from '../../resolvers/answers/answers.ts'
import type { AnswerCitation, AnswerMention, AnswerRow } from '../../resolvers/answers/whole.ts'
import { filterArgs, inGraph, pageArgs, windowArgs } from '../kit/args.ts'
import { builder, type Types } from '../kit/builder.ts'
import { answerFilters, filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'

const toneMeanings = {
  positive: 'The answer speaks well of the brand.',
  neutral: 'The answer neither praises nor criticizes the brand.',
  negative: 'The answer speaks badly of the brand.',
}

export const tone = builder.enumType('Tone', {
  description: 'The tone in which an answer speaks of a brand.',
  values: Object.fromEntries(
    tones.map((name) => [name, { description: toneMeanings[name] }]),
  ) as Record<keyof typeof toneMeanings, { description: string }>,
})

const basisMeanings = {
  list: 'The number of a numbered list.',
  table: 'The number in a column of ranks of a table.',
  text: 'The place by first mention, after the lists and tables above it.',
}

const rankBasis = builder.enumType('RankBasis', {
  description: 'What gives a brand its rank in an answer.',
  values: Object.fromEntries(
    rankBases.map((name) => [name, { description: basisMeanings[name] }]),
  ) as Record<keyof typeof basisMeanings, { description: string }>,
})

export const answerCitation = builder.objectRef<AnswerCitation>('AnswerCitation').implement({
  description: 'A URL that an answer cites.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The cited URL, normalised.' }),
    domain: t.exposeString('domain', { description: 'Registrable domain of the cited URL.' }),
    title: t.string({
      nullable: true,
      description: 'Title that the answer showed for the URL; null when the answer showed none.',
      resolve: ({ title }) => title || null,
    }),
    position: t.expose('position', {
      type: 'Int',
      description: 'Place of the citation among the citations of the answer.',
    }),
  }),
})

export const answerMention = builder.objectRef<AnswerMention>('AnswerMention').implement({
  description: 'A tracked brand that an answer names.',
  fields: (t) => ({
    brandId: t.exposeID('brandId', {
      view: 'rest',
      description: 'Id of the competitor, or of the project for its own brand.',
    }),
    name: t.exposeString('name', { view: 'rest', description: 'Name of the brand.' }),
    isBrand: t.exposeBoolean('isBrand', {
      view: 'rest',
      description: 'Whether the brand is the own brand of the project.',
    }),
    occurrences: t.expose('occurrences', {
      type: 'Int',
      description: 'Times that the answer names the brand.',
    }),
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Rank of the brand in the answer, by its list or table, else by first mention.',
    }),
    rankBasis: t.expose('rankBasis', {
      type: rankBasis,
      view: 'graph',
      description: 'What gives the brand its rank.',
    }),
    sentiment: t.expose('sentiment', {
      type: tone,
      nullable: true,
      restDescription: 'Tone in which the answer speaks of the brand; null when unknown.',
      description: 'Tone of the answer about the brand; null when unknown.',
    }),
  }),
})

/** `long` are the fields that a list shows in GraphQL alone. */
const answerFields = (
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, AnswerRow>,
  long: { view?: 'graph' },
) => ({
  id: t.exposeID('id', { description: 'UUID of the answer.' }),
  promptId: t.exposeID('promptId', {
    view: 'rest',
    description: 'UUID of the prompt that was answered.',
  }),
  ...(long.view === undefined && {
    promptText: t.string({
      description: 'Current wording of the prompt.',
      resolve: (row) => row.promptText(),
    }),
  }),
  platformId: t.exposeString('platform', {
    view: 'rest',
    restName: 'platform',
    description: 'Id of the AI platform.',
  }),
  model: t.string({
    description: 'Raw id of the model, or the id of the AI platform when the import named none.',
    resolve: (row) => row.model || row.platform,
  }),
  locationId: t.exposeID('locationId', {
    view: 'rest',
    nullable: true,
    description: 'UUID of the tracked location of the answer; null for none.',
  }),
  text: t.exposeString('text', { description: 'Text of the answer.' }),
  brandMentioned: t.exposeBoolean('brandMentioned', {
    description: 'Whether the answer names the own brand.',
  }),
  position: t.expose('position', {
    type: 'Int',
    nullable: true,
    description:
      'Rank of the own brand in the answer, by its list or table, else by first mention. Null when not mentioned.',
  }),
  sentiment: t.expose('sentiment', {
    type: tone,
    nullable: true,
    restDescription:
      'Tone in which the answer speaks of the own brand; null when not named, or when unknown.',
    description: 'Tone of the answer about the own brand. Null when not mentioned or unknown.',
  }),
  mentions: t.field({
    ...long,
    type: [answerMention],
    description: 'Tracked brands that the answer names, sorted by rank.',
    resolve: (row) => row.mentions,
  }),
  citations: t.field({
    type: [answerCitation],
    description: 'URLs that the answer cites, sorted by position.',
    resolve: (row) => row.citations,
  }),
  searchQueries: t.stringList({
    ...long,
    description: 'Sub-queries that the AI platform searched for, in order.',
    resolve: (row) => row.searchQueries(),
  }),
  collectedAt: t.expose('collectedAt', {
    type: 'DateTime',
    description: 'Time when the answer was collected.',
  }),
})

export const answerRow = builder.objectRef<AnswerRow>('Answer').implement({
  description: 'An answer of an AI platform to a prompt.',
  fields: (t) => answerFields(t, { view: 'graph' }),
})

const answerDetail = builder.objectRef<AnswerRow>('AnswerDetail').implement({
  description:
    'An answer of an AI platform to a prompt, with mentions, citations and search queries.',
  fields: (t) => answerFields(t, {}),
})

type AnswerPage = Awaited<ReturnType<typeof answers>>

const answerList = listOf(builder.objectRef<AnswerPage>('AnswerList'), answerRow, {
  description: 'A page of answers, newest first.',
  rows: 'answers',
  fields: (t) => ({
    project: reportFields.project(t),
    answers: t.expose('answers', {
      type: [answerRow],
      description: 'Answers of this page, newest first.',
    }),
    pagination: reportFields.pagination(t),
    ...reportFields.window(t),
  }),
})

export const answerConnection = answerList.connection

const ofMentioned = 'Only answers that mention the own brand, or with false that do not.'
const ofPrompt = 'Only answers to this prompt.'
const brandsInput = builder.inputType('MentionedBrands', {
  description:
    'Tracked brands by how answers mention them: answers pass that pass every given list.',
  fields: (t) => ({
    all: t.idList({ description: 'Only answers that mention each of these brands.' }),
    any: t.idList({ description: 'Only answers that mention at least one of these brands.' }),
    none: t.idList({ description: 'Only answers that mention none of these brands.' }),
  }),
})

const sentimentInput = builder.inputType('MentionSentiment', {
  description: 'How answers speak of one brand.',
  fields: (t) => ({
    brandId: t.id({ description: 'Id of the brand; the own brand unless given.' }),
    is: t.field({
      type: [tone],
      required: true,
      description: 'Only answers with one of these tones about the brand.',
    }),
  }),
})

const narrowingTexts = {
  promptIds: 'Only answers to these prompts.',
  brands: "Only answers that mention these brands, or do not. The project's id is the own brand.",
  sentiment: 'Only answers that speak of a brand in these tones.',
  citedDomains: 'Only answers that cite one of these registrable domains, such as `example.com`.',
  citedUrls: 'Only answers that cite one of these URLs.',
  subQuery: 'Only answers whose AI platform searched for this sub-query, in any letter case.',
  search: 'Only answers with all of these words and "phrases", in any case. At most 10.',
}

const ofGraph = { view: 'graph' } as const
const narrowing = builder.args((t) => ({
  promptId: t.id({ description: ofPrompt }),
  mentioned: t.boolean({ description: ofMentioned }),
  promptIds: t.idList({ description: narrowingTexts.promptIds, extensions: ofGraph }),
  brands: t.field({
    type: brandsInput,
    description: narrowingTexts.brands,
    extensions: ofGraph,
  }),
  sentiment: t.field({
    type: sentimentInput,
    description: narrowingTexts.sentiment,
    extensions: ofGraph,
  }),
  citedDomains: t.stringList({
    description: narrowingTexts.citedDomains,
    extensions: ofGraph,
  }),
  citedUrls: t.stringList({ description: narrowingTexts.citedUrls, extensions: ofGraph }),
  subQuery: t.string({ description: narrowingTexts.subQuery, extensions: ofGraph }),
  search: t.string({ description: narrowingTexts.search, extensions: ofGraph }),
}))

/** `mentioned` of a list of answers, or of what their answers have. */
export const mentionedArgs = inGraph({ mentioned: narrowing.mentioned }, { filter: 'mentioned' })

/** Which answers to list, beside the filters of reports. */
export const answerArgs = {
  ...inGraph({ promptId: narrowing.promptId }, { filter: 'promptId' }),
  ...mentionedArgs,
  ...inGraph({ promptIds: narrowing.promptIds }, { filter: 'promptIds' }),
  ...inGraph({ brands: narrowing.brands }, { filter: 'brands' }),
  ...inGraph({ sentiment: narrowing.sentiment }, { filter: 'sentiment' }),
  ...inGraph({ citedDomains: narrowing.citedDomains }, { filter: 'citedDomains' }),
  ...inGraph({ citedUrls: narrowing.citedUrls }, { filter: 'citedUrls' }),
  ...inGraph({ subQuery: narrowing.subQuery }, { filter: 'subQuery' }),
  ...inGraph({ search: narrowing.search }, { filter: 'search' }),
}

/** The field of `filter` for it. */
export const mentionedFilter = ((t) =>
  t.boolean({ description: ofMentioned })) satisfies NonNullable<
  Parameters<typeof filterInput>[1]['own']
>[string]

filterInput('AnswerFilter', {
  names: answerFilters,
  own: {
    promptId: (t) => t.id({ description: ofPrompt }),
    mentioned: mentionedFilter,
    promptIds: (t) => t.idList({ description: narrowingTexts.promptIds }),
    brands: (t) => t.field({ type: brandsInput, description: narrowingTexts.brands }),
    sentiment: (t) => t.field({ type: sentimentInput, description: narrowingTexts.sentiment }),
    citedDomains: (t) => t.stringList({ description: narrowingTexts.citedDomains }),
    citedUrls: (t) => t.stringList({ description: narrowingTexts.citedUrls }),
    subQuery: (t) => t.string({ description: narrowingTexts.subQuery }),
    search: (t) => t.string({ description: narrowingTexts.search }),
  },
})

const pageSize = pageArgs({ default: 50, max: 1000 })

report('answers', {
  ...answerList,
  description: 'Answers of AI platforms, newest first.',
  args: {
    ...windowArgs,
    ...filterArgs,
    ...answerArgs,
    ...pageSize,
  },
  resolve: (scope, args) => answers(scope, args as typeof args & AnswerListArgs),
})

report('promptAnswers', {
  view: 'rest',
  ...answerList,
  description: 'Answers of AI platforms to one prompt, newest first.',
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
