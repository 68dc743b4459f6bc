import { ignoreInput, ignoreIssue, reopenIssue } from '../../resolvers/issues/change.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { scopeOf, writeProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { issueType } from './issue.ts'

const issueArgs = {
  ...projectArgs,
  ...builder.args((t) => ({
    issueId: t.id({ required: true, description: 'Id of the issue.' }),
  })),
}

builder.mutationField('ignoreIssue', (t) =>
  t.field({
    type: issueType,
    nullable: true,
    access: writeProject,
    view: 'graph',
    description: 'Resolves an issue as ignored, for later audits and scores too. Needs `write`.',
    body: ignoreInput,
    args: {
      ...issueArgs,
      reason: t.arg.string({
        required: true,
        description: 'Why the issue is ignored, 1 to 500 characters.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, issueId, reason }, context) =>
      ignoreIssue(
        await scopeOf(context, String(projectId)),
        actorOf(context),
        String(issueId),
        reason,
      ),
  }),
)

builder.mutationField('reopenIssue', (t) =>
  t.field({
    type: issueType,
    nullable: true,
    access: writeProject,
    view: 'graph',
    description: 'Opens a resolved issue, also an ignored one. Needs `write`.',
    args: { ...issueArgs, ...keyedArgs },
    resolve: async (_root, { projectId, issueId }, context) =>
      reopenIssue(await scopeOf(context, String(projectId)), actorOf(context), String(issueId)),
  }),
)
