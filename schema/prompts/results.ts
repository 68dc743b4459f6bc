import { difference } from '../../core/metrics.ts'
import {
  fewAnswers,
  type PromptResult,
  type PromptResults,
  type PromptResultsArgs,
  promptResultsOfMany,
} from '../../resolvers/prompts/results.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { measured } from '../../resolvers/shared/samples/cell.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { answersOfRow } from '../answers/edges.ts'
import { brandType } from '../brands/brand.ts'
import { brandOf } from '../brands/by-id.ts'
import { compareArgs, filterArgs, inGraph, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { changeField } from '../kit/change.ts'
import { answerFilters, filterInput } from '../kit/inputs.ts'
import { connectionOf, type RowPage } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { reportFields } from '../kit/report-fields.ts'
import { wordsOf } from '../kit/words.ts'
import { promptLoaders, promptType } from './prompt.ts'
import { listArgs, promptFilters } from './prompts.ts'

const outcome = wordsOf(
  'PromptOutcome',
  'Whether the own brand leads in the answers to a prompt, by the answers that mention each brand.',
  {
    won: 'More answers mention the own brand than any one competitor.',
    lost: 'More answers mention one competitor than the own brand.',
    even: 'As many answers mention the own brand as the strongest competitor.',
    unanswered: 'The prompt has no answer in the window.',
  },
)

const sort = wordsOf(
  'PromptResultSort',
  'The order of results of prompts. Prompts without a value come last.',
  {
    gap_asc: 'The largest lead of a competitor first.',
    gap_desc: 'The largest lead of the own brand first.',
    lost_answers_asc: 'Fewest lost answers first.',
    lost_answers_desc: 'Most lost answers first.',
    visibility_asc: 'Lowest visibility of the own brand first.',
    visibility_desc: 'Highest visibility of the own brand first.',
    change_asc: 'The largest loss of visibility first. Needs `compare`.',
    change_desc: 'The largest gain of visibility first. Needs `compare`.',
    answers_asc: 'Fewest answers first.',
    answers_desc: 'Most answers first.',
    last_answered_asc: 'The longest without an answer first.',
    last_answered_desc: 'The newest answer first.',
    text_asc: 'By text, from A.',
    text_desc: 'By text, from Z.',
  },
)

const lostMeaning = 'A lost answer mentions a compared competitor and not the own brand.'

const promptResult = builder.objectRef<PromptResult>('PromptResult').implement({
  description: 'How the own brand does against its competitors in the answers to one prompt.',
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'The prompt; null when the prompt no longer exists.',
      resolve: ({ promptId }, _args, context) => promptLoaders(context).prompt.load(promptId),
    }),
    result: t.expose('result', {
      type: outcome,
      description: 'Whether the own brand leads. With few answers that may soon change.',
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Answers to the prompt.',
    }),
    hasFewAnswers: t.boolean({
      description: `Whether the prompt has fewer than ${fewAnswers} answers.`,
      resolve: ({ answers }) => answers < fewAnswers,
    }),
    lastAnsweredAt: t.expose('lastAnsweredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the newest answer in the window; null without one.',
    }),
    visibility: t.field({
      type: 'Metric',
      description: 'Percent of answers to the prompt that mention the own brand.',
      resolve: ({ visibility, cell }) => measured(visibility, 'named', cell),
    }),
    averagePosition: t.field({
      type: 'Metric',
      description: 'Mean rank of the own brand in the answers that mention the own brand.',
      resolve: ({ averagePosition, cell }) => measured(averagePosition, 'position', cell),
    }),
    leader: t.field({
      type: brandType,
      nullable: true,
      description:
        'The own brand or compared competitor that most answers to the prompt mention. Null when neither won nor lost.',
      resolve: ({ result, projectId, rivalId }, _args, context) => {
        if (result === 'won') return brandOf(context, projectId, projectId)
        return result === 'lost' && rivalId !== null ? brandOf(context, projectId, rivalId) : null
      },
    }),
    topCompetitor: t.field({
      type: brandType,
      nullable: true,
      description:
        'The compared competitor that most answers to the prompt mention. Null when none is mentioned.',
      resolve: ({ projectId, rivalId }, _args, context) =>
        rivalId === null ? null : brandOf(context, projectId, rivalId),
    }),
    topCompetitorVisibility: t.field({
      type: 'Metric',
      description: 'Percent of answers to the prompt that mention `topCompetitor`.',
      resolve: ({ rivalVisibility, rivalId, cell }) =>
        rivalId === null
          ? rivalVisibility
          : measured(rivalVisibility, 'named', { ...cell, object: rivalId }),
    }),
    gap: t.float({
      nullable: true,
      description:
        'Visibility of the own brand minus that of the strongest compared competitor, in percentage points. Null without answers.',
      resolve: ({ visibility, rivalVisibility }) => difference(visibility, rivalVisibility),
    }),
    lostAnswerCount: t.expose('lostAnswers', {
      type: 'Int',
      description: `Lost answers to the prompt. ${lostMeaning}`,
    }),
    change: changeField(
      t,
      'named',
      'The change of `visibility` since the compared window; null without `compare`.',
      ({ visibility, previousVisibility, cell, previousCell }) => ({
        now: visibility,
        before: previousVisibility,
        cell,
        previousCell,
      }),
    ),
  }),
})

builder.objectField(promptResult, 'lostAnswers', (t) =>
  t.field(
    answersOfRow<PromptResult>({
      description: `Lost answers to the prompt, newest first. ${lostMeaning}`,
      idOf: ({ promptId }) => promptId,
      askedOf: ({ promptId, lostIn }) => ({ ...lostIn, slice: { by: 'prompt', id: promptId } }),
    }),
  ),
)

const outcomeCounts = builder.objectRef<PromptResults['counts']>('PromptOutcomeCounts').implement({
  description: 'Numbers of prompts by outcome.',
  fields: (t) => ({
    won: t.expose('won', { type: 'Int', description: 'Prompts that are won.' }),
    lost: t.expose('lost', { type: 'Int', description: 'Prompts that are lost.' }),
    even: t.expose('even', { type: 'Int', description: 'Prompts that are even.' }),
    unanswered: t.expose('unanswered', {
      type: 'Int',
      description: 'Prompts without an answer in the window.',
    }),
  }),
})

const results = connectionOf<PromptResult, PromptResults & RowPage<PromptResult>>(promptResult, {
  description: 'A page of results of prompts.',
  facts: (t) => ({
    counts: t.expose('counts', {
      type: outcomeCounts,
      description: 'Numbers of prompts by outcome, after all filters but `results`.',
    }),
    ...reportFields.window(t),
  }),
})

const texts = {
  competitorIds: 'Compares the own brand with these competitors only. Default: all.',
  results: 'Only prompts with these outcomes.',
  hasLostAnswers:
    'True keeps only prompts with an answer that mentions a competitor and not the own brand.',
}

const own = builder.args((t) => ({
  competitorIds: t.idList({ description: texts.competitorIds }),
  results: t.field({ type: [outcome], description: texts.results }),
  hasLostAnswers: t.boolean({ description: texts.hasLostAnswers }),
  sort: t.field({
    type: sort,
    defaultValue: 'gap_asc',
    description: 'Order of the rows.',
  }),
}))

filterInput('PromptResultFilter', {
  rows: 'Prompts, and answers to them,',
  names: answerFilters,
  own: {
    search: promptFilters.search,
    intentCategories: promptFilters.intentCategories,
    competitorIds: (t) => t.idList({ description: texts.competitorIds }),
    results: (t) => t.field({ type: [outcome], description: texts.results }),
    hasLostAnswers: (t) => t.boolean({ description: texts.hasLostAnswers }),
  },
})

builder.objectField('Project', 'promptResults', (t) =>
  t.field(
    connectionField({
      type: results,
      size: { default: 20, max: 200 },
      access: readOfProject,
      description:
        'Tracked prompts: whether the own brand leads, which competitor does, and by how much. Default: the largest lead of a competitor first.',
      args: {
        ...windowArgs,
        ...filterArgs,
        search: listArgs.search,
        intentCategory: listArgs.intentCategory,
        ...inGraph({ competitorIds: own.competitorIds }, { filter: 'competitorIds' }),
        ...inGraph({ results: own.results }, { filter: 'results' }),
        ...inGraph({ hasLostAnswers: own.hasLostAnswers }, { filter: 'hasLostAnswers' }),
        sort: own.sort,
        ...compareArgs,
      },
      scope: (scope: ProjectScope) => scope,
      resolve: (_project: ProjectScope, given, _context, scope) =>
        batched(
          'prompts.results',
          scope,
          given as typeof given & PromptResultsArgs,
          promptResultsOfMany,
        ),
    }),
  ),
)
