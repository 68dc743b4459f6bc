import type {
  InputFieldMap,
  InputShapeFromFields,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { ReportScope } from '../../resolvers/shared/asked.ts'
import type { FilterArgs } from '../../resolvers/shared/filters.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { AccessRule } from './access-rule.ts'
import { type PageSize, sizeOfPage, wholeSize } from './args.ts'
import { readOfOwner, readOfProject, readProject, scopeOf } from './authorize.ts'
import { builder, type Types } from './builder.ts'
import type { Context } from './context.ts'
import { type ReportParent, sliceParents } from './edge.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'
import type { ConnectionType } from './lists/connection.ts'
import { connectionField } from './lists/field.ts'

/** Who asks: some fields are in the graph alone. */
export type View = 'rest' | 'graph'

interface ReportOptions<Type extends TypeParam<Types>, Args extends InputFieldMap> {
  type: Type
  description: string
  /** The description in REST, where that of GraphQL is not true of it. */
  restDescription?: string
  args: Args
  /** The name of the field in the graph, where REST has an older word; that of the report unless given. */
  graphName?: string
  /** `rest`: the graph says the same by a field of another object. Both when absent. */
  view?: 'rest'
  /** The report as a list of the graph: its rows are paged, and all else is a fact of the list. */
  connection?: ConnectionType<ShapeFromTypeParam<Types, Type, false> & object, unknown>
  /** A report that is a short list and nothing else: the graph gives its rows alone. */
  only?: {
    readonly type: readonly [unknown]
    readonly rows: (answer: ShapeFromTypeParam<Types, Type, false>) => readonly unknown[]
  }
  /** Slices of a project that have the report too. */
  slices?: readonly ReportParent[]
  /** Codes that the report itself can refuse with. */
  problems?: readonly ErrorCode[]
  /** What the arguments must be, where REST takes them in a body too. */
  body?: z.ZodObject
  resolve: (
    scope: ProjectScope,
    args: InputShapeFromFields<Args>,
    context: Context,
    view: View,
  ) => Promise<ShapeFromTypeParam<Types, Type, false>>
}

/**
 * A report on one project. In GraphQL it is a field of `Project`, which takes the window and the filters as input
 * objects. So are the fields of the slices. REST has a root field, with `projectId` and flat arguments.
 */
export function report<Type extends TypeParam<Types>, Args extends InputFieldMap>(
  name: string,
  {
    type,
    description,
    restDescription = description,
    args,
    slices = [],
    problems = [],
    body,
    view,
    graphName = name,
    connection,
    only,
    resolve,
  }: ReportOptions<Type, Args>,
): void {
  // Pothos computes the shape of arguments that are merged with a generic map only at the call: the
  // casts say what that shape is.
  const answer = async (
    scope: ProjectScope,
    given: unknown,
    context: Context,
    asking: View = 'graph',
  ) => {
    const within: ReportScope = { ...scope, filteredBy: given as FilterArgs }
    return resolve(within, given as InputShapeFromFields<Args>, context, asking) as never
  }
  builder.queryField(name, (t) =>
    t.field({
      type,
      // A report that fails is null beside its error: its neighbours keep their answers.
      nullable: true,
      description: restDescription,
      access: readProject,
      view: 'rest',
      problems,
      body,
      args: { projectId: t.arg.id({ required: true, description: 'Id of the project.' }), ...args },
      resolve: async (_root: object, given: { projectId: string }, context: Context) =>
        answer(await scopeOf(context, given.projectId), given, context, 'rest'),
    } as never),
  )
  if (view === 'rest') return
  const [summary = ''] = /^.*?[.](?= |$)/.exec(description) ?? []
  const fieldOf = <Parent extends object>(
    access: AccessRule,
    scopeIn: (parent: Parent, context: Context) => ProjectScope | Promise<ProjectScope>,
    counted = '',
  ) =>
    connection
      ? connectionField({
          type: connection,
          description: counted === '' ? description : summary + counted,
          problems,
          body,
          size: connection.isWhole ? wholeSize : sizeOf(name, args),
          args,
          access,
          scope: scopeIn,
          resolve: (_parent: Parent, given, context, scope) => answer(scope, given, context),
        })
      : ({
          type: only ? only.type : type,
          nullable: true,
          description: counted === '' ? description : summary + counted,
          view: 'graph',
          body,
          args: graphArgs(args),
          access,
          resolve: (parent: Parent, given: object, context: Context) =>
            withInputNames(
              async () => {
                const found = await answer(
                  await scopeIn(parent, context),
                  flatArgs(args, given),
                  context,
                )
                return only ? only.rows(found) : found
              },
              args,
              given,
            ),
        } as never)
  builder.objectField('Project', graphName, (t) =>
    t.field(fieldOf(readOfProject, (scope: ProjectScope) => scope)),
  )
  for (const by of slices) {
    const { type: parentType, answers, sliceOf } = sliceParents[by]
    const scopeIn = async (parent: SliceOwner, context: Context) => {
      const scope = await scopeOf(context, parent.projectId)
      return { ...scope, slice: sliceOf(parent) }
    }
    builder.objectField(parentType as never, graphName, (t) =>
      t.field(fieldOf(readOfOwner, scopeIn, ` Only ${answers}.`)),
    )
  }
}

function sizeOf(name: string, args: InputFieldMap): PageSize {
  const size = sizeOfPage(args)
  if (!size) throw new Error(`${name} is a connection without the arguments of a page`)
  return size
}

interface SliceOwner {
  readonly id: string
  readonly projectId: string
  readonly url: string
}
