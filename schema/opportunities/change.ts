import type { InputFieldMap, InputShapeFromFields } from '@pothos/core'
import type { Db } from '../../prisma/client.ts'
import {
  assignOpportunity,
  completeOpportunity,
  dismissOpportunity,
  type OpportunityChange,
  refreshOpportunities,
  reopenOpportunity,
} from '../../resolvers/opportunities/change.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { writeProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { opportunityType } from './opportunity.ts'

const opportunityChange = builder.objectRef<OpportunityChange>('OpportunityChange').implement({
  description: 'Result of a change to an opportunity.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', {
      description: 'False when the opportunity had this state already, so nothing was written.',
    }),
    opportunity: t.expose('opportunity', {
      type: opportunityType,
      description: 'The opportunity after the change.',
    }),
  }),
})

interface Target {
  readonly projectId: string
  readonly opportunityId: string
}

/** A mutation of one opportunity, for keys with `write`. */
function opportunityMutation<Args extends InputFieldMap>(
  name: string,
  description: string,
  args: Args,
  change: (
    db: Db,
    actor: Actor,
    target: Target,
    args: InputShapeFromFields<Args>,
  ) => Promise<OpportunityChange>,
): void {
  const ids = builder.args((t) => ({
    ...projectArgs,
    opportunityId: t.id({ required: true, description: 'Id of the opportunity.' }),
  }))
  builder.mutationField(name, (t) =>
    t.field({
      type: opportunityChange,
      description,
      access: writeProject,
      view: 'graph',
      problems: ['pitch_not_supported'],
      args: { ...ids, ...(args as InputFieldMap), ...keyedArgs },
      resolve: (_root, given, context) => {
        const { projectId, opportunityId } = given
        const target = { projectId: String(projectId), opportunityId: String(opportunityId) }
        const input: object = given
        return change(
          context.services.db,
          actorOf(context),
          target,
          input as InputShapeFromFields<Args>,
        )
      },
    }),
  )
}

opportunityMutation(
  'completeOpportunity',
  'Marks an active opportunity as done. It returns if its rule holds over the next 30 days.',
  {},
  completeOpportunity,
)

opportunityMutation(
  'dismissOpportunity',
  'Dismisses an active opportunity until its impact rises.',
  builder.args((t) => ({
    reason: t.string({
      required: true,
      description: 'Reason for the dismissal, 1 to 500 characters.',
    }),
  })),
  (db, actor, target, { reason }) => dismissOpportunity(db, actor, target, { reason }),
)

opportunityMutation(
  'reopenOpportunity',
  'Makes a completed, dismissed or resolved opportunity active again.',
  {},
  reopenOpportunity,
)

opportunityMutation(
  'assignOpportunity',
  'Gives an opportunity to a member of the workspace, or to nobody.',
  builder.args((t) => ({
    userId: t.id({
      description: 'UUID of the member who works on it; null takes it from everybody.',
    }),
  })),
  (db, actor, target, { userId }) =>
    assignOpportunity(db, actor, target, { userId: userId == null ? null : String(userId) }),
)

interface Refresh {
  readonly changed: boolean
}

const opportunityRefresh = builder.objectRef<Refresh>('OpportunityRefresh').implement({
  description: 'Result of a request to evaluate the rules of a project.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', {
      description: 'Whether a job was queued. False when an evaluation waits already.',
    }),
  }),
})

builder.mutationField('refreshOpportunities', (t) =>
  t.field({
    type: opportunityRefresh,
    description: 'Queues an evaluation of all rules of a project, which a worker makes.',
    access: writeProject,
    view: 'graph',
    problems: ['pitch_not_supported'],
    args: { ...projectArgs, ...keyedArgs },
    resolve: (_root, { projectId }, context) =>
      refreshOpportunities(context.services.db, actorOf(context), String(projectId)),
  }),
)
