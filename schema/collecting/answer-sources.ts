import { type AnswerSource, answerSources } from '../../resolvers/collecting/answer-sources.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { wholeSize } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { answerProvider } from '../kit/method/providers.ts'
import { platformOf } from '../projects/members.ts'
import { platformType } from '../projects/platforms.ts'

type OfProject = AnswerSource & { readonly projectId: string }

const answerSource = builder.objectRef<OfProject>('AnswerSource').implement({
  description:
    'A provider key of the workspace as readers of a project see it, once for each surface of a service: what it asks, at what price, and whether the provider takes it.',
  fields: (t) => ({
    keyId: t.exposeID('keyId', { description: 'Id of the provider key.' }),
    label: t.exposeString('label', {
      description: 'Name of the provider key, which `Schedule.keys` has.',
    }),
    provider: t.field({
      type: answerProvider,
      description: 'Provider that is asked.',
      resolve: ({ provider }) => provider,
    }),
    providerName: t.exposeString('name', {
      description: 'Name of the provider, such as `OpenAI`.',
    }),
    platform: t.field({
      type: platformType,
      description: 'AI platform that the answers count for.',
      resolve: ({ projectId, platform }, _args, context) =>
        platformOf(context, projectId, platform),
    }),
    model: t.exposeString('model', {
      description: 'Model that is asked, or the surface that a service reads, such as `chatgpt`.',
    }),
    isSurface: t.exposeBoolean('isSurface', {
      description: 'Whether the answers are those of a page that people see, and not of an API.',
    }),
    expectedCost: t.exposeFloat('price', {
      nullable: true,
      description: 'Expected cost of an answer in US dollars; null where no price is known.',
    }),
    units: t.expose('units', {
      type: 'Int',
      nullable: true,
      description:
        'Credits, records or results of the service that an answer costs; null for other providers.',
    }),
    hasOwnAddress: t.exposeBoolean('hasOwnAddress', {
      description: "Whether the key asks at another address than the provider's own.",
    }),
    workedAt: t.expose('workedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the provider last took the key; null where none is known.',
    }),
    refusedAt: t.expose('refusedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time since when the provider refuses the key or its model; null while it does not.',
    }),
    refusal: t.exposeString('refusal', {
      nullable: true,
      description: 'Why the provider refuses the key, in a sentence; null while it does not.',
    }),
  }),
})

builder.objectField('Project', 'answerSources', (t) =>
  t.field(
    connectionField({
      type: connectionOf(answerSource, {
        description: 'Sources of the answers of a project, by label.',
        sortKey: ({ label, keyId, model }: OfProject) => [label, keyId, model],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfProject,
      description: 'Provider keys that runs of the project can ask with, by label.',
      resolve: async ({ db, project }: ProjectScope) => ({
        rows: (await answerSources(db, project.workspaceId)).map((row) => ({
          ...row,
          projectId: project.id,
        })),
      }),
    }),
  ),
)
