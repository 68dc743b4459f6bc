import './access.ts'
import SchemaBuilder, {
  type InputFieldMap,
  type InputShapeFromFields,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { Ratio } from '../../core/metrics.ts'
import type PrismaTypes from '../../prisma/pothos.ts'
import { getDatamodel } from '../../prisma/pothos.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { readOfProject, readProject, scopeOf } from './authorize.ts'
import type { Context } from './context.ts'

interface Declared {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Objects: { Project: ProjectScope; Metric: Ratio }
  Scalars: {
    SafeInt: { Input: number; Output: number }
    Date: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
    DateTime: { Input: Date; Output: Date | string }
  }
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<Declared>

export const builder = new SchemaBuilder<Declared>({
  plugins: [PrismaPlugin, 'access'],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.services.db,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    onUnusedQuery: null,
  },
})

interface ReportOptions<Type extends TypeParam<Types>, Args extends InputFieldMap> {
  type: Type
  description: string
  args: Args
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
 * A report on one project, as two fields. The root field takes `projectId`, and REST serves it too. The field
 * of `Project` serves queries over several areas or projects.
 */
export function report<Type extends TypeParam<Types>, Args extends InputFieldMap>(
  name: string,
  { type, description, args, problems = [], body, resolve }: ReportOptions<Type, Args>,
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
  builder.objectField('Project', name, (t) =>
    t.field({
      type,
      nullable: true,
      description,
      access: readOfProject,
      view: 'graph',
      body,
      args,
      resolve: (scope: ProjectScope, given: unknown, context: Context) =>
        answer(scope, given, context),
    } as never),
  )
}
