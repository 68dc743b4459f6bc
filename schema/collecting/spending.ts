import {
  loadSpending,
  type Spending,
  setCollectingCaps,
} from '../../resolvers/collecting/spending.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { readOfProject } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { projectMutation } from '../kit/project-mutation.ts'

const spendingOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => loadSpending(db, ids, new Date())),
)

builder.objectField('Project', 'spending', (t) =>
  t.field({
    type: builder.objectRef<Spending>('CollectingSpending').implement({
      description: 'What a project spends on questions to AI assistants, in US dollars.',
      fields: (of) => ({
        today: of.exposeFloat('today', {
          description: 'Cost of the replies of this UTC day, in US dollars.',
        }),
        thisMonth: of.exposeFloat('thisMonth', {
          description: 'Cost of the replies of this UTC month, in US dollars.',
        }),
        dayCap: of.exposeFloat('dayCap', {
          nullable: true,
          description: 'The most to spend in a UTC day, in US dollars; null without a cap.',
        }),
        monthCap: of.exposeFloat('monthCap', {
          nullable: true,
          description: 'The most to spend in a UTC month, in US dollars; null without a cap.',
        }),
      }),
    }),
    access: readOfProject,
    description: 'Cost of questions to AI assistants, with the caps on it.',
    resolve: ({ project }: ProjectScope, _args, context) => spendingOf(context).load(project.id),
  }),
)

projectMutation('setCollectingCaps', {
  description: 'Caps what runs of a project spend.',
  args: builder.args((t) => ({
    dayCap: t.float({
      description: 'The most to spend in a UTC day, in US dollars. Default: no cap.',
    }),
    monthCap: t.float({
      description: 'The most to spend in a UTC month, in US dollars. Default: no cap.',
    }),
  })),
  change: ({ db, actor, projectId }, { dayCap, monthCap }) =>
    setCollectingCaps(db, actor, projectId, { dayCap, monthCap }),
})
