import { removeProject } from '../../imports/loads/removal.ts'
import { setProjectStatus, updateProject } from '../../resolvers/projects/change.ts'
import type { ProjectChangeResult } from '../../resolvers/shared/change.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { ownerAnyProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { projectMutation } from '../kit/project-mutation.ts'

projectMutation('updateProject', {
  description: 'Changes the brand of a project. Absent arguments change nothing.',
  args: builder.args((t) => ({
    name: t.string({ description: 'Name of the own brand.' }),
    domain: t.string({ description: 'Main domain of the own brand.' }),
    description: t.string({ description: 'Description of the own brand, in a sentence.' }),
    industry: t.string({ description: 'Industry of the own brand.' }),
    keepOldName: t.boolean({
      defaultValue: false,
      description: 'Whether the previous name of the brand becomes an alias.',
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
  activateProject: ['active', 'Tracks a project again that was paused, archived or switched off.'],
  pauseProject: ['paused', 'Pauses a project: reads still work, background work stops.'],
  archiveProject: ['archived', 'Archives a project: reads still work, background work stops.'],
  deactivateProject: [
    'inactive',
    'Switches a project off until it is activated. A pitch project can still be read.',
  ],
} as const

for (const [name, [state, description]] of Object.entries(states)) {
  projectMutation(name, {
    description,
    args: {},
    inactive: true,
    change: ({ db, actor, projectId }) => setProjectStatus(db, actor, projectId, state),
  })
}

const projectDeletion = builder.objectRef<ProjectChangeResult>('ProjectDeletion').implement({
  description: 'A project that was deleted.',
  fields: (t) => ({
    projectId: t.exposeID('subjectId', { description: 'Id of the deleted project.' }),
  }),
})

builder.mutationField('deleteProject', (t) =>
  t.field({
    type: projectDeletion,
    access: ownerAnyProject,
    isOutside: true,
    isRemoval: true,
    view: 'graph',
    description:
      'Deletes a project for good with all its data and bound keys. The audit trail stays.',
    args: { ...projectArgs, ...keyedArgs },
    resolve: (_root, args, context) => {
      const { services } = context
      const projectId = String(args.projectId).toLowerCase()
      return removeProject(services, actorOf(context), projectId)
    },
  }),
)
