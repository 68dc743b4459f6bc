import type { InputFieldMap, InputShapeFromFields, OutputRef } from '@pothos/core'
import type { ErrorCode } from '../../core/errors.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { PageSize } from './args.ts'
import { readOfOwner, scopeOf } from './authorize.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { inheritedFrom } from './inherited.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'
import type { ConnectionType } from './lists/connection.ts'
import { connectionField, type PageAsked } from './lists/field.ts'
import type { MadeField } from './made-field.ts'
import { madeFor } from './made-for.ts'
import { type SliceOwner, type SliceParent, sliceOf } from './slice-parents.ts'

/** The slice of an object, as a scope to read. */
async function scopeIn(
  owner: SliceOwner,
  context: Context,
  parentType: SliceParent,
): Promise<ProjectScope> {
  return { ...(await scopeOf(context, owner.projectId)), slice: sliceOf(parentType, owner) }
}

function addField({ type }: SliceParent, name: string, field: MadeField<SliceOwner>): void {
  if (type === 'Brand') builder.interfaceField(type, name, (t) => t.field(field))
  else builder.objectField(type, name, (t) => t.field(field))
}

interface FieldOptions<Value, Args extends InputFieldMap> {
  readonly type: OutputRef<Value>
  /** Of the answers of the parent, which `SliceParent` puts in words. */
  readonly description: (answers: string) => string
  /** Flat, as of a report: the field takes `window` and `filter` in place of the flat ones. */
  readonly args: Args
  readonly resolve: (
    scope: ProjectScope,
    args: InputShapeFromFields<Args>,
    context: Context,
  ) => Promise<Value | null>
}

/**
 * A field of the objects of several types that reads the answers of each object. The resolver gets the slice of the
 * object as its scope: with `batched` all objects of a list take one statement.
 */
export function sliceField<Value, Args extends InputFieldMap>(
  parents: readonly SliceParent[],
  name: string,
  { type, description, args, resolve }: FieldOptions<Value, Args>,
): void {
  for (const parentType of parents) {
    addField(parentType, name, {
      type,
      // A field that fails is null beside its error: its neighbours keep their answers.
      nullable: true,
      description: description(parentType.answers),
      view: 'graph',
      access: readOfOwner,
      args: graphArgs(args, parentType.made),
      resolve: (parent, given, context) =>
        withInputNames(
          async () => {
            const flat = {
              ...inheritedFrom(parent, given, args),
              ...flatArgs(args, given),
            } as InputShapeFromFields<Args>
            return resolve(await scopeIn(parent, context, parentType), flat, context)
          },
          args,
          given,
        ),
    })
  }
}

interface ListOptions<Page extends object, Row, Args extends InputFieldMap> {
  readonly type: ConnectionType<Page, Row>
  readonly description: (answers: string) => string
  readonly size: PageSize
  readonly problems?: readonly ErrorCode[]
  readonly args: Args
  readonly resolve: (
    scope: ProjectScope,
    args: InputShapeFromFields<Args> & PageAsked,
    context: Context,
  ) => Promise<Page>
}

/** A list of the objects of several types, as `sliceField` is a field. */
export function sliceList<Page extends object, Row, Args extends InputFieldMap>(
  parents: readonly SliceParent[],
  name: string,
  { description, resolve, ...options }: ListOptions<Page, Row, Args>,
): void {
  for (const parentType of parents) {
    const field = connectionField({
      ...options,
      description: description(parentType.answers),
      idOf: (parent: SliceOwner) =>
        JSON.stringify([parent.projectId, sliceOf(parentType, parent), madeFor(parent)]),
      made: parentType.made,
      inherited: (parent, given) => inheritedFrom(parent, given, options.args),
      scope: (parent, context) => scopeIn(parent, context, parentType),
      resolve: (_parent, given, context, scope) => resolve(scope, given, context),
    })
    addField(parentType, name, field)
  }
}
