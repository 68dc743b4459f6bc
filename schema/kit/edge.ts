import type {
  InputFieldMap,
  InputShapeFromFields,
  ShapeFromTypeParam,
  TypeParam,
} from '@pothos/core'
import type { ErrorCode } from '../../core/errors.ts'
import { citedUrl } from '../../core/sites/cited-url.ts'
import type { ProjectScope, Slice } from '../../resolvers/shared/scope.ts'
import type { PageSize } from './args.ts'
import { readOfOwner, scopeOf } from './authorize.ts'
import { builder, type Types } from './builder.ts'
import type { Context } from './context.ts'
import { inheritedFrom } from './inherited.ts'
import { flatArgs, graphArgs, withInputNames } from './inputs.ts'
import type { ConnectionType } from './lists/connection.ts'
import { connectionField, type PageAsked } from './lists/field.ts'
import { madeFor, madeTypes } from './made-for.ts'

interface Owned {
  readonly projectId: string
}

/** A type whose objects have answers: the slice of each object. */
interface SliceParent {
  readonly type: string
  readonly kind?: 'interface'
  /** The word for an object that was made for a window, and hands it to its fields. */
  readonly made?: string
  /** The answers of an object in words, such as "answers that name the brand". */
  readonly answers: string
  readonly sliceOf: (parent: never) => Slice
}

const byId = (by: Slice['by']) => ({
  sliceOf: ({ id }: Owned & { readonly id: string }): Slice => ({ by, id }),
})
const byUrl = {
  sliceOf: ({ url }: Owned & { readonly url: string }): Slice => ({
    by: 'url',
    id: citedUrl(url) ?? url,
  }),
}

/** The types whose objects are slices of a project, or have a set of answers. */
export const sliceParents = {
  topic: { type: 'Topic', answers: 'answers to prompts of the topic', ...byId('topic') },
  prompt: { type: 'Prompt', answers: 'answers to the prompt', ...byId('prompt') },
  platform: { type: 'Platform', answers: 'answers of the AI platform', ...byId('platform') },
  location: {
    type: 'Location',
    answers: 'answers collected at the location',
    ...byId('location'),
  },
  brand: {
    type: 'Brand',
    kind: 'interface',
    answers: 'answers that name the brand',
    ...byId('brand'),
  },
  page: { type: 'Page', answers: 'answers that cite the page', ...byUrl },
  sourceUrl: {
    type: 'SourceUrl',
    made: madeTypes.SourceUrl,
    answers: 'answers that cite the URL',
    ...byUrl,
  },
  sourceDomain: {
    type: 'SourceDomain',
    made: madeTypes.SourceDomain,
    answers: 'answers that cite the domain',
    sliceOf: ({ domain }: Owned & { readonly domain: string }) => ({ by: 'domain', id: domain }),
  },
  fanoutQuery: {
    type: 'FanoutQuery',
    made: madeTypes.FanoutQuery,
    answers: 'answers with the sub-query',
    sliceOf: ({ query }: Owned & { readonly query: string }) => ({ by: 'query', id: query }),
  },
} satisfies Record<string, SliceParent>

/** The types that have the reports of a project, over their own answers. */
export const reportParents = ['topic', 'prompt', 'platform', 'location', 'page'] as const
export type ReportParent = (typeof reportParents)[number]

/** The slice of an object, as a scope to read. */
async function scopeIn(
  parent: Owned,
  context: Context,
  { sliceOf }: SliceParent,
): Promise<ProjectScope> {
  return { ...(await scopeOf(context, parent.projectId)), slice: sliceOf(parent as never) }
}

function addField({ type, kind }: SliceParent, name: string, field: object): void {
  // Pothos computes these types only at a call with one known parent.
  if (kind === 'interface') {
    builder.interfaceField(type as never, name, (t) => t.field(field as never))
  } else builder.objectField(type as never, name, (t) => t.field(field as never))
}

interface EdgeOptions<Type extends TypeParam<Types>, Args extends InputFieldMap> {
  readonly type: Type
  /** Of the answers of the parent, which `SliceParent` puts in words. */
  readonly description: (answers: string) => string
  /** Flat, as of a report: the field takes `window` and `filter` in place of the flat ones. */
  readonly args: Args
  readonly resolve: (
    scope: ProjectScope,
    args: InputShapeFromFields<Args>,
    context: Context,
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
  for (const parentType of parents) {
    addField(parentType, name, {
      type,
      // A field that fails is null beside its error: its neighbours keep their answers.
      nullable: true,
      description: description(parentType.answers),
      view: 'graph',
      access: readOfOwner,
      args: graphArgs(args, parentType.made),
      resolve: (parent: Owned, given: object, context: Context) =>
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

/** A list of the objects of several types, as `edge` is a field. */
export function edgeList<Page extends object, Row, Args extends InputFieldMap>(
  parents: readonly SliceParent[],
  name: string,
  { description, resolve, ...options }: ListOptions<Page, Row, Args>,
): void {
  for (const parentType of parents) {
    const field = connectionField({
      ...options,
      description: description(parentType.answers),
      idOf: (parent: Owned) =>
        JSON.stringify([parent.projectId, parentType.sliceOf(parent as never), madeFor(parent)]),
      made: parentType.made,
      inherited: (parent: Owned, given) => inheritedFrom(parent, given, options.args),
      scope: (parent: Owned, context) => scopeIn(parent, context, parentType),
      resolve: (_parent: Owned, given, context, scope) => resolve(scope, given, context),
    })
    addField(parentType, name, field)
  }
}
