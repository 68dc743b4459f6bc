import type {
  InputFieldMap,
  InputShapeFromFields,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { ProjectScope, Slice } from '../../resolvers/shared/scope.ts'
import { readOfOwner, scopeOf } from './authorize.ts'
import { builder, type Types } from './builder.ts'
import type { Context } from './context.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'

interface Owned {
  readonly projectId: string
}

/** A type whose objects have answers: the slice of each object. */
interface SliceParent {
  readonly type: string
  readonly kind?: 'interface'
  readonly sliceOf: (parent: never) => Slice
}

const byId = (by: Slice['by']) => ({
  sliceOf: ({ id }: Owned & { readonly id: string }): Slice => ({ by, id }),
})
const byUrl = {
  sliceOf: ({ url }: Owned & { readonly url: string }): Slice => ({ by: 'url', id: url }),
}

/** The types whose objects are slices of a project, or have a set of answers. */
export const sliceParents = {
  topic: { type: 'Topic', ...byId('topic') },
  prompt: { type: 'Prompt', ...byId('prompt') },
  platform: { type: 'Platform', ...byId('platform') },
  location: { type: 'Location', ...byId('location') },
  /** Answers that name the brand. */
  brand: { type: 'Brand', kind: 'interface', ...byId('brand') },
  /** Answers that cite the page. */
  page: { type: 'Page', ...byUrl },
  sourceUrl: { type: 'SourceUrl', ...byUrl },
  sourceDomain: {
    type: 'SourceDomain',
    sliceOf: ({ domain }: Owned & { readonly domain: string }) => ({ by: 'domain', id: domain }),
  },
  /** Answers before which a platform searched for the sub-query. */
  fanoutQuery: {
    type: 'FanoutQuery',
    sliceOf: ({ query }: Owned & { readonly query: string }) => ({ by: 'query', id: query }),
  },
} satisfies Record<string, SliceParent>

interface EdgeOptions<Type extends TypeParam<Types>, Args extends InputFieldMap> {
  readonly type: Type
  readonly description: string
  /** Flat, as of a report: the field takes `window` and `filter` in place of the flat ones. */
  readonly args: Args
  readonly resolve: (
    scope: ProjectScope,
    args: InputShapeFromFields<Args>,
    context: Context,
    parent: Owned,
  ) => Promise<ShapeFromTypeParam<Types, Type, true>>
}

/**
 * A field of the objects of several types that reads the answers of each object. The resolver gets the slice of the
 * object as its scope: with `batched` all objects of a list take one statement.
 */
export function edge<Type extends TypeParam<Types>, Args extends InputFieldMap>(
  parents: readonly SliceParent[],
  name: string,
  { type, description, args, resolve }: EdgeOptions<Type, Args>,
): void {
  for (const { type: parentType, kind, sliceOf } of parents) {
    const field = {
      type,
      // A field that fails is null beside its error: its neighbours keep their answers.
      nullable: true,
      description,
      view: 'graph',
      access: readOfOwner,
      args: graphArgs(args),
      resolve: (parent: Owned, given: object, context: Context) =>
        withInputNames(async () => {
          const scope = await scopeOf(context, parent.projectId)
          const flat = flatArgs(args, given) as InputShapeFromFields<Args>
          return resolve({ ...scope, slice: sliceOf(parent as never) }, flat, context, parent)
        }),
    }
    // Pothos computes these types only at a call with one known parent.
    if (kind === 'interface') {
      builder.interfaceField(parentType as never, name, (t) => t.field(field as never))
    } else builder.objectField(parentType as never, name, (t) => t.field(field as never))
  }
}
