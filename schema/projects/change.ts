import type { InputFieldMap, InputShapeFromFields } from '@pothos/core'
import { removeProject } from '../../imports/loads/removal.ts'
import type { Db } from '../../prisma/client.ts'
import { deleteProject, setProjectStatus, updateProject } from '../../resolvers/projects/change.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { Outcome } from '../../resolvers/shared/change.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminAnyProject, adminProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, projectChange } from '../kit/change.ts'
import type { Context } from '../kit/context.ts'

interface Shaping<Args extends InputFieldMap> {
  readonly description: string
  readonly args: Args
  /** Whether an inactive project takes it too. */
  readonly inactive?: true
  readonly change: (
    who: { db: Db; actor: Actor; projectId: string; context: Context },
    args: InputShapeFromFields<Args>,
  ) => Promise<Outcome>
}

/** A mutation that changes one project, for keys with `admin`. */
export function shaping<Args extends InputFieldMap>(
  name: string,
  { description, args, inactive, change }: Shaping<Args>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: projectChange,
      description,
      access: inactive ? adminAnyProject : adminProject,
      view: 'graph',
      args: {
        ...projectArgs,
        ...args,
        ...keyedArgs,
      },
      resolve: async (_root: object, given: { projectId: string }, context: Context) => {
        const projectId = given.projectId.toLowerCase()
        const who = { db: context.services.db, actor: actorOf(context), projectId, context }
        return { projectId, ...(await change(who, given as never)) }
      },
    } as never),
  )
}

shaping('updateProject', {
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
  shaping(name, {
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
