import {
  type ModelChange,
  type ModelChangesArgs,
  modelChangesOfMany,
} from '../../resolvers/answers/model-changes.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { platformOf } from '../projects/members.ts'
import { platformType } from '../projects/platforms.ts'

const change = builder.objectRef<ModelChange>('ModelChange').implement({
  description: 'The day from which an AI platform answers with another model.',
  fields: (t) => ({
    date: t.expose('date', {
      type: 'Date',
      description: 'UTC day of the first answer of the model on the AI platform.',
    }),
    platform: t.field({
      type: platformType,
      description: 'The AI platform.',
      resolve: ({ projectId, platform }, _args, context) =>
        platformOf(context, projectId, platform),
    }),
    model: t.exposeString('model', { description: 'Raw id of the model.' }),
    previousModel: t.exposeString('previous', {
      description: 'Raw id of the newest model that answered on the AI platform before.',
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Answers of the model on the AI platform in the window.',
    }),
  }),
})

builder.objectField('Project', 'modelChanges', (t) =>
  t.field(
    connectionField({
      type: connectionOf<ModelChange>(change, {
        description: 'A page of changes of models, by day.',
        isCounted: true,
      }),
      size: { default: 20, max: 200 },
      access: readOfProject,
      description:
        'Models that answered for the first time in the window on an AI platform where others had answered before, by day. A number may move because the model changed.',
      args: { ...windowArgs, ...filterArgs },
      scope: (scope: ProjectScope) => scope,
      resolve: async (_project: ProjectScope, given, _context, scope) => {
        const args = given as typeof given & ModelChangesArgs
        return {
          rows: await batched('answers.model-changes', scope, args, modelChangesOfMany),
        }
      },
    }),
  ),
)
