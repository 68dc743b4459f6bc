import type { InputFieldMap, OutputRef } from '@pothos/core'
import type { ErrorCode } from '../../core/errors.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { projectArgs } from './args.ts'
import { readOfProject, readProject, scopeOf } from './authorize.ts'
import { builder } from './builder.ts'
import { withInputNames } from './inputs.ts'

interface Lookup<Row extends object> {
  readonly description: string
  /** The argument of REST that takes the id of the row, and its description. */
  readonly id: readonly [name: string, description: string]
  readonly type: OutputRef<Row>
  /** The REST operation, and its answer; absent where REST has none. */
  readonly rest?: {
    readonly field: string
    readonly type: OutputRef<Row>
    readonly problems?: readonly ErrorCode[]
  }
  readonly find: (scope: ProjectScope, id: string) => Promise<Row>
}

/**
 * One row of a project by its id: a field of `Project` in GraphQL, which is null with an error that names `id` where there
 * is none, and an operation of REST.
 */
export function lookup<Row extends object>(
  name: string,
  { description, id: [idName, idDescription], type, rest, find }: Lookup<Row>,
): void {
  const idArg = builder.args((t) => ({ id: t.id({ required: true, description: idDescription }) }))
  // Pothos computes the shape of a type only where it knows the type: here it is a parameter.
  const found: OutputRef = type
  builder.objectField('Project', name, (t) =>
    t.field({
      type: found,
      nullable: true,
      description,
      access: readOfProject,
      view: 'graph',
      args: idArg,
      resolve: (scope, given) => withInputNames(() => find(scope, String(given.id)), {}, given),
    }),
  )
  if (!rest) return
  const { field, problems } = rest
  const reply: OutputRef = rest.type
  builder.queryField(field, (t) =>
    t.field({
      type: reply,
      ...(problems && { problems }),
      description,
      access: readProject,
      view: 'rest',
      args: { ...projectArgs, [idName]: idArg.id } as InputFieldMap,
      resolve: async (_root, args, context) =>
        find(await scopeOf(context, String(args.projectId)), String(args[idName])),
    }),
  )
}
