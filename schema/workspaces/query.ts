import { readWorkspace } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { workspaceOf, workspaceType } from './workspaces.ts'

builder.queryField('workspace', (t) =>
  t.field({
    type: workspaceType,
    // A workspace that fails is null beside its error, as a project is.
    nullable: true,
    access: readWorkspace,
    view: 'graph',
    description: 'The workspace of the key; null for a bound key.',
    args: { id: t.arg.id({ required: true, description: 'Id of the workspace.' }) },
    resolve: (_root, args, context) => workspaceOf(context, String(args.id).toLowerCase()),
  }),
)
