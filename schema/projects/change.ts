import { removeProject } from '../../imports/loads/removal.ts'
import { deleteProject, setProjectStatus, updateProject } from '../../resolvers/projects/change.ts'
import type { Outcome } from '../../resolvers/shared/change.ts'
import { projectArgs } from '../kit/args.ts'
import { adminAnyProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { projectMutation } from '../kit/project-mutation.ts'

projectMutation('updateProject', {
  description:
    'Changes what a project says of its brand. What is absent stays; null takes a description or an industry away.',
  args: builder.args((t) => ({
    name: t.string({ description: 'The brand.' }),
    domain: t.string({ description: "The brand's main domain." }),
    description: t.string({ description: 'In a sentence.' }),
    industry: t.string({ description: 'Its industry.' }),
    keepOldName: t.boolean({
      defaultValue: false,
      description: 'Whether the name that it had becomes an alias.',
    }),
  })),
  change: ({ db, actor, projectId }, args) =>
    updateProject(db, actor, projectId, {
      ...(args.name === undefined ? {} : { name: args.name as string }),
      ...(args.domain === undefined ? {} : { domain: args.domain as string }),
      ...(args.description === undefined ? {} : { description: args.description }),
      ...(args.industry === undefined ? {} : { industry: args.industry }),
      keepOldName: args.keepOldName ?? false,
    }),
})

const states = {
  activateProject: ['active', 'Tracks a project again, or one that was switched off.'],
  pauseProject: ['paused', 'Lets a project rest: it answers reads but runs no background work.'],
  archiveProject: ['archived', 'Keeps a project to be read: it runs no background work.'],
} as const

for (const [name, [status, description]] of Object.entries(states)) {
  projectMutation(name, {
    description,
    args: {},
    inactive: true,
    change: ({ db, actor, projectId }) => setProjectStatus(db, actor, projectId, status),
  })
}

const projectDeletion = builder.objectRef<Outcome>('ProjectDeletion').implement({
  description: 'A project that is gone.',
  fields: (t) => ({
    projectId: t.exposeID('subjectId', { description: 'The id that it had.' }),
  }),
})

builder.mutationField('deleteProject', (t) =>
  t.field({
    type: projectDeletion,
    access: adminAnyProject,
    view: 'graph',
    description:
      'Deletes a project for good: what it tracks, its prompts, its answers and other facts, and the keys bound to it. Its changes stay in the audit trail of the workspace.',
    args: projectArgs,
    resolve: (_root, args, context) => {
      const { services } = context
      const projectId = String(args.projectId).toLowerCase()
      return removeProject(services, projectId, () =>
        deleteProject(services.db, actorOf(context), projectId),
      )
    },
  }),
)
