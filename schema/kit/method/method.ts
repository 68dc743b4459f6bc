import type {
  GapKind,
  Method,
  MethodCadence,
  MethodGap,
  MethodIntent,
  MethodPlatform,
  MethodReproducibility,
  MethodSample,
  MethodTypes,
  MethodWay,
} from '../../../core/method/method.ts'
import { batched } from '../../../resolvers/shared/batch.ts'
import { methodsOf } from '../../../resolvers/shared/method/method.ts'
import { builder, type Types } from '../builder.ts'
import { intentCategory } from '../intent.ts'
import { obtained } from '../obtained.ts'
import { wordsOf } from '../words.ts'
import { answersOf, type InReport } from './coverage.ts'

const sample = builder.objectRef<MethodSample>('MethodSample').implement({
  description: 'The answers of a report.',
  fields: (t) => ({
    answerCount: t.expose('answers', { type: 'Int', description: 'Answers.' }),
    answersPerPrompt: t.exposeFloat('answersPerPrompt', {
      nullable: true,
      description:
        'Median number of answers to one prompt on one AI platform; null without answers.',
    }),
    repetitions: t.exposeFloat('repetitions', {
      nullable: true,
      description:
        'Median answers to one prompt of one model at one place on one UTC day. Null without answers.',
    }),
    locations: t.expose('locations', {
      type: 'Int',
      description: 'Tracked locations with answers.',
    }),
    countries: t.field({
      type: ['String'],
      description: 'Countries with answers, as ISO 3166-1 codes.',
      resolve: ({ countries }) => [...countries],
    }),
  }),
})

const intent = builder.objectRef<MethodIntent>('MethodIntent').implement({
  description: 'Prompts of one intent.',
  fields: (t) => ({
    intent: t.expose('intent', {
      type: intentCategory,
      description: 'Intent of the persons who ask the prompts.',
    }),
    promptCount: t.expose('prompts', { type: 'Int', description: 'Prompts.' }),
  }),
})

const types = builder.objectRef<MethodTypes>('MethodTypes').implement({
  description: 'Kinds of the prompts that a report counts answers to, as the prompts are now.',
  fields: (t) => ({
    branded: t.expose('branded', {
      type: 'Int',
      description: 'Prompts that name the own brand.',
    }),
    unbranded: t.expose('unbranded', {
      type: 'Int',
      description: 'Prompts that do not name the own brand.',
    }),
    unclassified: t.expose('unclassified', {
      type: 'Int',
      description: 'Prompts that were deleted.',
    }),
    intents: t.field({
      type: [intent],
      description: 'Prompts by intent, most prompts first.',
      resolve: ({ intents }) => [...intents],
    }),
    withoutIntent: t.expose('withoutIntent', {
      type: 'Int',
      description: 'Prompts without an intent.',
    }),
  }),
})

const cadence = builder.objectRef<MethodCadence>('MethodCadence').implement({
  description: 'When the answers of a report were collected. Days are UTC calendar days.',
  fields: (t) => ({
    days: t.expose('days', { type: 'Int', description: 'Days with answers.' }),
    firstDay: t.expose('firstDay', {
      type: 'Date',
      nullable: true,
      description: 'First day with answers; null without any.',
    }),
    lastDay: t.expose('lastDay', {
      type: 'Date',
      nullable: true,
      description: 'Last day with answers; null without any.',
    }),
    typicalGapDays: t.expose('typicalGapDays', {
      type: 'Int',
      nullable: true,
      description:
        'Median number of days from one day with answers to the next; null below two days.',
    }),
    longestGapDays: t.expose('longestGapDays', {
      type: 'Int',
      nullable: true,
      description: 'Most days from one day with answers to the next; null below two days.',
    }),
  }),
})

const reproducibility = builder
  .objectRef<MethodReproducibility>('MethodReproducibility')
  .implement({
    description: 'Whether the numbers of a report can be counted again.',
    fields: (t) => ({
      rawAnswers: t.expose('rawAnswers', {
        type: 'Int',
        description: 'Answers whose reply is stored as the provider sent it.',
      }),
      answersWithoutModel: t.expose('answersWithoutModel', {
        type: 'Int',
        description: 'Answers that do not name their model.',
      }),
      nameRules: t.field({
        type: ['Int'],
        description: 'Versions of the rules that found names of brands; empty without mentions.',
        resolve: ({ nameRules }) => [...nameRules],
      }),
      toneRules: t.field({
        type: ['Int'],
        description: 'Versions of the rules that rated tones; empty without mentions.',
        resolve: ({ toneRules }) => [...toneRules],
      }),
    }),
  })

export const methodPlatform = builder
  .objectRef<MethodPlatform & { readonly projectId: string }>('MethodPlatform')
  .implement({
    description: 'Answers of one AI platform.',
    fields: (t) => ({
      models: t.field({
        type: ['String'],
        description: 'Models that answered; empty where answers do not name them.',
        resolve: ({ models }) => [...models],
      }),
      answerCount: t.expose('answers', {
        type: 'Int',
        description: 'Answers of the AI platform.',
      }),
    }),
  })

export const methodWay = builder.objectRef<MethodWay>('MethodWay').implement({
  description: 'Answers that were obtained in one way.',
  fields: (t) => ({
    obtained: t.field({
      type: obtained,
      description: 'How the answers were obtained.',
      resolve: (it) => it.obtained,
    }),
    answerCount: t.expose('answers', { type: 'Int', description: 'Answers obtained in this way.' }),
  }),
})

const gapKind = wordsOf<GapKind>(
  'MethodGapKind',
  'A part of decision grade that answers may miss; see `docs/method.md`.',
  {
    few_prompts: 'The prompts are fewer than 30.',
    few_answers: 'The answers are fewer than 100.',
    one_answer: 'Most prompts have one answer on a platform.',
    no_unbranded: 'Each prompt names the own brand.',
    no_intents: 'More than half of the prompts have no intent.',
    few_days: 'The answers are of fewer than 4 days.',
    long_gaps: 'More than 7 days pass from one day with answers to the next.',
    no_raw_answers: 'Some answers have no stored reply of a provider.',
    no_models: 'Some answers do not name their model.',
    mixed_rules: 'The answers were counted by several versions of the rules.',
    one_platform: 'All answers are of one platform, and no filter chose it.',
    mixed_ways: 'The answers were obtained in several ways, and no filter chose one.',
    many_failures: 'More than 10 % of the questions failed.',
  },
)

const gap = builder.objectRef<MethodGap>('MethodGap').implement({
  description: 'A part of decision grade that the answers of a report miss.',
  fields: (t) => ({
    kind: t.field({
      type: gapKind,
      description: 'Which part is missing.',
      resolve: ({ kind }) => kind,
    }),
    reason: t.exposeString('reason', { description: 'The part in words, with the numbers.' }),
  }),
})

/** How the answers of a project were collected. */
type MethodOfProject = Method & { readonly projectId: string }

export const methodType = builder.objectRef<MethodOfProject>('Method').implement({
  description: 'How the answers of a report were collected, in seven facts.',
  fields: (t) => ({
    isDecisionGrade: t.boolean({
      description: 'Whether nothing is missing to be decision grade.',
      resolve: ({ missing }) => missing.length === 0,
    }),
    promptCount: t.expose('prompts', {
      type: 'Int',
      description: 'Prompts with answers.',
    }),
    sample: t.field({
      type: sample,
      description: 'Answers, and how often prompts were asked.',
      resolve: (method) => method.sample,
    }),
    types: t.field({
      type: types,
      description: 'Kinds of the prompts.',
      resolve: (method) => method.types,
    }),
    cadence: t.field({
      type: cadence,
      description: 'Days with answers, and the days between.',
      resolve: (method) => method.cadence,
    }),
    reproducibility: t.field({
      type: reproducibility,
      description: 'Stored replies, and versions of the counting rules.',
      resolve: (method) => method.reproducibility,
    }),
    platforms: t.field({
      type: [methodPlatform],
      description: 'AI platforms that answered, most answers first.',
      resolve: ({ projectId, platforms }) => platforms.map((row) => ({ projectId, ...row })),
    }),
    ways: t.field({
      type: [methodWay],
      description: 'How the answers were obtained: the number for each way, most answers first.',
      resolve: ({ ways = [] }) => [...ways],
    }),
    missing: t.field({
      type: [gap],
      description: 'Parts of decision grade that are missing; empty for none.',
      resolve: (method) => [...method.missing],
    }),
  }),
})

/** How the answers of a report were collected. Reports of one request take one statement. */
export const methodField = <Report extends InReport>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Report>,
) =>
  t.field({
    type: methodType,
    view: 'graph',
    description: 'How the answers were collected.',
    resolve: async (report) => {
      const { scope, asked } = answersOf(report)
      const method = await batched('method', scope, asked, methodsOf)
      return { projectId: scope.project.id, ...method }
    },
  })
