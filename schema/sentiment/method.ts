import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { judgeVersionOf } from '../../core/text/judge/prompt.ts'
import { estimateSentiment, type SentimentEstimate } from '../../imports/judge/estimate.ts'
import {
  loadSentimentChanges,
  loadSentimentMethods,
  loadSentimentSpending,
  type ProjectSentiment,
  rateOlderAnswers,
  requireRatingKey,
  type SentimentChange,
  setSentimentMethod,
  usualRatingKey,
} from '../../resolvers/sentiment/method.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { readOfProject } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { type Context, oncePerRequest } from '../kit/context.ts'
import { answerProvider } from '../kit/method/providers.ts'
import { projectMutation } from '../kit/project-mutation.ts'

export const sentimentBy = builder.enumType('SentimentBy', {
  description: 'Who rates the sentiment of the answers of a project.',
  values: {
    rules: { description: 'The lexicon of Sightline, which costs nothing.' },
    model: {
      description: 'A model by a provider key of the workspace, for the price of its tokens.',
    },
  },
})

const byOf = ({ version }: { readonly version: string | null }) =>
  version === null ? ('rules' as const) : ('model' as const)

const change = builder.objectRef<SentimentChange>('SentimentMethodChange').implement({
  description: 'A change of who rates the sentiment of the answers of a project.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'Time of the change.' }),
    by: t.field({
      type: sentimentBy,
      description: 'Who rates answers from then on.',
      resolve: byOf,
    }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'Model and version of its instructions; null for rules.',
    }),
  }),
})

const estimate = builder.objectRef<SentimentEstimate>('SentimentEstimate').implement({
  description: 'What a model takes to rate the answers of a project, by tokens at list prices.',
  fields: (t) => ({
    costPerThousand: t.exposeFloat('costPerThousand', {
      nullable: true,
      description:
        'US dollars for 1,000 answers as the newest ones of the project; null for a model without a known price.',
    }),
    isMeasured: t.exposeBoolean('isMeasured', {
      description:
        'Whether the tokens are those of calls of the project so far; else they are estimated.',
    }),
    inputTokensPerThousand: t.expose('inputTokensPerThousand', {
      type: 'Int',
      description: 'Tokens that are sent for 1,000 answers.',
    }),
    outputTokensPerThousand: t.expose('outputTokensPerThousand', {
      type: 'Int',
      description: 'Tokens that come back for 1,000 answers.',
    }),
    pendingAnswers: t.expose('pendingAnswers', {
      type: 'Int',
      description: 'Answers with mentions that the model has not rated.',
    }),
    pendingMentions: t.expose('pendingMentions', {
      type: 'Int',
      description: 'Mentions that the model has not rated.',
    }),
    pendingCost: t.exposeFloat('pendingCost', {
      nullable: true,
      description:
        'US dollars to rate the mentions that the model has not rated; null for a model without a known price.',
    }),
  }),
})

interface Chosen extends ProjectSentiment {
  readonly scope: ProjectScope
}

const changesOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => loadSentimentChanges(db, ids)),
)
const methodsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => loadSentimentMethods(db, ids)),
)

const spendingOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => loadSentimentSpending(db, ids, new Date())),
)

async function estimateFor(
  context: Context,
  { db, warehouse, project }: ProjectScope,
  key: { readonly provider: AskedProvider; readonly model: string },
) {
  const version = judgeVersionOf(key.model)
  const { taken } = await spendingOf(context).load(project.id)
  return estimateSentiment(
    { db, warehouse },
    { projectId: project.id, ...key, version, taken: taken.get(version) },
  )
}

const chosen = builder.objectRef<Chosen>('ProjectSentiment').implement({
  description:
    'Who rates the sentiment of the answers of a project. Reports never mix two methods.',
  fields: (t) => ({
    by: t.field({
      type: sentimentBy,
      description: 'Who rates the answers.',
      resolve: byOf,
    }),
    version: t.exposeString('version', {
      nullable: true,
      description:
        'Model and version of its instructions, as in `methodVersion` of reports; null for rules.',
    }),
    providerKeyId: t.exposeID('keyId', {
      nullable: true,
      description: 'UUID of the provider key; null for rules, and once the key is removed.',
    }),
    provider: t.field({
      type: answerProvider,
      nullable: true,
      description: 'Provider of the model; null for rules.',
      resolve: ({ provider }) => provider,
    }),
    model: t.exposeString('model', { nullable: true, description: 'The model; null for rules.' }),
    monthCap: t.exposeFloat('monthCap', {
      nullable: true,
      description:
        'The most to spend on ratings in a UTC month, in US dollars; null without a cap.',
    }),
    spentThisMonth: t.float({
      description: 'Cost of the ratings of this UTC month, in US dollars.',
      resolve: async ({ projectId }, _args, context) =>
        (await spendingOf(context).load(projectId)).thisMonth,
    }),
    ratesOlder: t.exposeBoolean('ratesOlder', {
      description: 'Whether answers from before the model was chosen are rated too.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why answers wait for the model, as a sentence; else null.',
    }),
    estimate: t.field({
      type: estimate,
      nullable: true,
      description: 'What the model takes; null for rules.',
      resolve: ({ scope, provider, model }, _args, context) =>
        provider && model ? estimateFor(context, scope, { provider, model }) : null,
    }),
    changes: t.field({
      type: [change],
      description:
        'The newest 50 changes of the method, the oldest first. Trends are marked there.',
      resolve: ({ projectId }, _args, context) => changesOf(context).load(projectId),
    }),
  }),
})

builder.objectField('Project', 'sentimentMethod', (t) =>
  t.field({
    type: chosen,
    access: readOfProject,
    description: 'Who rates the sentiment of the answers of the project.',
    resolve: async (scope: ProjectScope, _args, context) => ({
      ...(await methodsOf(context).load(scope.project.id)),
      scope,
    }),
  }),
)

builder.objectField('Project', 'sentimentEstimate', (t) =>
  t.field({
    type: estimate,
    nullable: true,
    access: readOfProject,
    description:
      'What a model would take to rate the answers of the project, before it is chosen; null without a key whose price is known.',
    args: builder.args((of) => ({
      providerKeyId: of.id({
        description:
          'Provider key of the workspace that asks the model. Default: the newest one whose price is known.',
      }),
      model: of.string({ description: 'The model. Default: that of the key.' }),
    })),
    resolve: async (scope: ProjectScope, { providerKeyId, model }, context) => {
      const { db, project } = scope
      const key =
        providerKeyId == null
          ? await usualRatingKey(db, project.workspaceId)
          : await requireRatingKey(db, project.workspaceId, {
              providerKeyId: String(providerKeyId),
              model,
            })
      return key && estimateFor(context, scope, key)
    },
  }),
)

projectMutation('setSentimentMethod', {
  description:
    'Chooses who rates the sentiment of answers: rules, or a model. A model rates answers as they come; `rateOlderAnswers` has it rate those of before.',
  args: builder.args((t) => ({
    by: t.field({ type: sentimentBy, required: true, description: 'Who rates the answers.' }),
    providerKeyId: t.id({ description: 'Provider key that asks the model. Needed for `model`.' }),
    model: t.string({ description: 'The model. Default: that of the key.' }),
    monthCap: t.float({
      description: 'The most to spend on ratings in a UTC month, in US dollars. Default: no cap.',
    }),
  })),
  change: ({ db, actor, projectId }, { by, providerKeyId, model, monthCap }) =>
    setSentimentMethod(db, actor, projectId, {
      by,
      providerKeyId: providerKeyId == null ? null : String(providerKeyId),
      model,
      monthCap,
    }),
})

projectMutation('rateOlderAnswers', {
  description:
    'Has the model rate answers from before it was chosen too. `pendingCost` of its estimate has the price.',
  args: {},
  change: ({ db, actor, projectId }) => rateOlderAnswers(db, actor, projectId),
})
