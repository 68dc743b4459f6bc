import type { InputFieldMap, InputShapeFromFields } from '@pothos/core'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectChangeResult } from '../../resolvers/shared/change.ts'
import { keyedArgs, projectArgs } from './args.ts'
import { adminAnyProject, adminProject, listedScope } from './authorize.ts'
import { builder } from './builder.ts'
import { actorOf, type Context, loaders, projectScopes } from './context.ts'

/** The project as it is after a change of this very request. */
function refreshed(context: Context, projectId: string) {
  const id = projectId.toLowerCase()
  const { project, topics, topicPrompts, locations } = loaders(context)
  for (const loader of [project, topics, topicPrompts, locations]) loader.clear(id)
  projectScopes(context).delete(id)
  return listedScope(context, id)
}

interface ProjectOutcome extends ProjectChangeResult {
  readonly projectId: string
}

const changedField = 'False when the project had this state already, so nothing was written.'

export const projectChange = builder.objectRef<ProjectOutcome>('ProjectChange').implement({
  description: 'Result of a change to a project.',
  fields: (t) => ({
    subjectId: t.exposeID('subjectId', {
      description: 'Id of the object that was added, changed or removed.',
    }),
    changed: t.exposeBoolean('changed', { description: changedField }),
    needsReanalysis: t.exposeBoolean('needsReanalysis', {
      description:
        'Whether answers were searched for other names than those tracked now: run `reanalyze`.',
    }),
    project: t.field({
      type: 'Project',
      description: 'The project after the change.',
      resolve: ({ projectId }, _args, context) => refreshed(context, projectId),
    }),
  }),
})

interface ProjectMutation<Args extends InputFieldMap> {
  readonly description: string
  readonly args: Args
  /** Whether an inactive project takes it too. */
  readonly inactive?: true
  /** Of a mutation that takes a file. */
  readonly largestBodyBytes?: number
  readonly change: (
    who: {
      db: Db
      actor: Actor
      projectId: string
      privateHosts: readonly PrivateHost[]
    },
    args: InputShapeFromFields<Args>,
  ) => Promise<ProjectChangeResult>
}

/** A mutation that changes one project, for keys with `admin`. */
export function projectMutation<Args extends InputFieldMap>(
  name: string,
  { description, args, inactive, largestBodyBytes, change }: ProjectMutation<Args>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: projectChange,
      description,
      ...(largestBodyBytes && { extensions: { largestBodyBytes } }),
      access: inactive ? adminAnyProject : adminProject,
      view: 'graph',
      args: { ...projectArgs, ...(args as InputFieldMap), ...keyedArgs },
      resolve: async (_root, given, context) => {
        const projectId = String(given.projectId).toLowerCase()
        const { db, privateHosts } = context.services
        const who = { db, actor: actorOf(context), projectId, privateHosts }
        const input: object = given
        return { projectId, ...(await change(who, input as InputShapeFromFields<Args>)) }
      },
    }),
  )
}
