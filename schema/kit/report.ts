import type { InputFieldMap, InputShapeFromFields, OutputRef } from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { ReportScope } from '../../resolvers/shared/asked.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { AccessRule } from './access-rule.ts'
import { type PageSize, projectArgs, sizeOfPage, wholeSize } from './args.ts'
import { readOfOwner, readOfProject, readProject, scopeOf } from './authorize.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'
import type { ConnectionType } from './lists/connection.ts'
import { connectionField } from './lists/field.ts'
import type { MadeField } from './made-field.ts'
import { type ReportParent, type SliceOwner, sliceOf, sliceParents } from './slice-parents.ts'

/** Who asks: some fields are in the graph alone. */
export type View = 'rest' | 'graph'

interface ReportOptions<Answer extends object, Args extends InputFieldMap> {
  type: OutputRef<Answer>
  description: string
  /** The description in REST, where that of GraphQL is not true of it. */
  restDescription?: string
  args: Args
  /** The name of the field in the graph, where REST has an older word; that of the report unless given. */
  graphName?: string
  /** `rest`: the graph says the same by a field of another object. Both when absent. */
  view?: 'rest'
  /** The report as a list of the graph: its rows are paged, and all else is a fact of the list. */
  connection?: ConnectionType<Answer, unknown>
  /** A report that is a short list and nothing else: the graph gives its rows alone. */
  only?: {
    readonly type: [OutputRef]
    readonly rows: (answer: Answer) => readonly unknown[]
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
  ) => Promise<Answer>
}

/**
 * A report on one project. In GraphQL it is a field of `Project`, which takes the window and the filters as input
 * objects. So are the fields of the slices. REST has a root field, with `projectId` and flat arguments.
 */
export function report<Answer extends object, Args extends InputFieldMap>(
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
  }: ReportOptions<Answer, Args>,
): void {
  const answer = (
    scope: ProjectScope,
    given: object,
    context: Context,
    asking: View = 'graph',
  ): Promise<Answer> => {
    const within: ReportScope = { ...scope, filteredBy: given }
    // Pothos has no shape for arguments that are a parameter: `args` has checked them.
    return resolve(within, given as InputShapeFromFields<Args>, context, asking)
  }
  // Pothos computes the shape of a type only where it knows the type: here it is a parameter.
  const restType: OutputRef = type
  builder.queryField(name, (t) =>
    t.field({
      type: restType,
      // A report that fails is null beside its error: its neighbours keep their answers.
      nullable: true,
      description: restDescription,
      access: readProject,
      view: 'rest',
      problems,
      body,
      args: { ...projectArgs, ...(args as InputFieldMap) },
      resolve: async (_root, given, context) =>
        answer(await scopeOf(context, String(given.projectId)), given, context, 'rest'),
    }),
  )
  if (view === 'rest') return
  const [summary = ''] = /^.*?[.](?= |$)/.exec(description) ?? []
  function fieldOf<Parent extends object>(
    access: AccessRule,
    scope: (parent: Parent, context: Context) => ProjectScope | Promise<ProjectScope>,
    counted?: string,
  ): MadeField<Parent> {
    const shared = {
      description: counted === undefined ? description : `${summary} Only ${counted}.`,
      body,
      access,
    }
    if (connection) {
      return connectionField({
        ...shared,
        type: connection,
        problems,
        size: connection.isWhole ? wholeSize : sizeOf(name, args),
        args,
        scope,
        resolve: (_parent: Parent, given, context, within) => answer(within, given, context),
      })
    }
    return {
      ...shared,
      type: only ? only.type : type,
      nullable: true,
      view: 'graph',
      args: graphArgs(args),
      resolve: (parent, given, context) =>
        withInputNames(
          async () => {
            const found = await answer(await scope(parent, context), flatArgs(args, given), context)
            return only ? only.rows(found) : found
          },
          args,
          given,
        ),
    }
  }
  builder.objectField('Project', graphName, (t) =>
    t.field(fieldOf(readOfProject, (scope: ProjectScope) => scope)),
  )
  for (const by of slices) {
    const parent = sliceParents[by]
    const scopeIn = async (owner: SliceOwner, context: Context) => ({
      ...(await scopeOf(context, owner.projectId)),
      slice: sliceOf(parent, owner),
    })
    builder.objectField(parent.type, graphName, (t) =>
      t.field(fieldOf(readOfOwner, scopeIn, parent.answers)),
    )
  }
}

function sizeOf(name: string, args: InputFieldMap): PageSize {
  const size = sizeOfPage(args)
  if (!size) throw new Error(`${name} is a connection without the arguments of a page`)
  return size
}
