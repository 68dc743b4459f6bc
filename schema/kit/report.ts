import type {
  InputFieldMap,
  InputShapeFromFields,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { ProjectScope, SliceDimension } from '../../resolvers/shared/scope.ts'
import { readOfOwner, readOfProject, readProject, scopeOf } from './authorize.ts'
import { builder, type Types } from './builder.ts'
import type { Context } from './context.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'

interface ReportOptions<Type extends TypeParam<Types>, Args extends InputFieldMap> {
  type: Type
  description: string
  args: Args
  /** Slices of a project that have the report too. */
  slices?: readonly SliceDimension[]
  /** Codes that the report itself can refuse with. */
  problems?: readonly ErrorCode[]
  /** What the arguments must be, where REST takes them in a body too. */
  body?: z.ZodObject
  resolve: (
    scope: ProjectScope,
    args: InputShapeFromFields<Args>,
    context: Context,
  ) => Promise<ShapeFromTypeParam<Types, Type, false>>
}

/**
 * A report on one project. The root field takes `projectId` and flat arguments, as REST does, which it serves. The
 * field of `Project` takes the window and the filters as input objects. So do the fields of the slices.
 */
export function report<Type extends TypeParam<Types>, Args extends InputFieldMap>(
  name: string,
  { type, description, args, slices = [], problems = [], body, resolve }: ReportOptions<Type, Args>,
): void {
  // Pothos computes the shape of arguments that are merged with a generic map only at the call: the
  // casts say what that shape is.
  const answer = (scope: ProjectScope, given: unknown, context: Context) =>
    resolve(scope, given as InputShapeFromFields<Args>, context) as never
  builder.queryField(name, (t) =>
    t.field({
      type,
      // A report that fails is null beside its error: its neighbours keep their answers.
      nullable: true,
      description,
      access: readProject,
      problems,
      body,
      args: { projectId: t.arg.id({ required: true, description: 'Id of the project.' }), ...args },
      resolve: async (_root: object, given: { projectId: string }, context: Context) =>
        answer(await scopeOf(context, given.projectId), given, context),
    } as never),
  )
  const inGraph = { type, nullable: true, description, view: 'graph', body, args: graphArgs(args) }
  const answerGraph = (scope: ProjectScope, given: object, context: Context) =>
    withInputNames(async () => answer(scope, flatArgs(args, given), context))
  builder.objectField('Project', name, (t) =>
    t.field({ ...inGraph, access: readOfProject, resolve: answerGraph } as never),
  )
  for (const by of slices) {
    builder.objectField(sliceTypes[by] as never, name, (t) =>
      t.field({
        ...inGraph,
        access: readOfOwner,
        resolve: async (parent: SliceOwner, given: object, context: Context) => {
          const scope = await scopeOf(context, parent.projectId)
          return answerGraph({ ...scope, slice: { by, id: parent.id } }, given, context)
        },
      } as never),
    )
  }
}

/** The objects whose answers are a slice of their project. */
const sliceTypes: Record<SliceDimension, string> = {
  topic: 'Topic',
  prompt: 'Prompt',
  platform: 'Platform',
  location: 'Location',
}

interface SliceOwner {
  readonly id: string
  readonly projectId: string
}
