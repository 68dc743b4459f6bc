import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Context } from './context.ts'

/**
 * Memory of an object of an answer, measured: its own, that of each field, and that of a field which leads on, whose resolver
 * is called and may be waited for.
 */
const objectBytes = 160
const fieldBytes = 40
const leadingBytes = 400

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType' | 'schema'>

const known = new WeakMap<SelectionSetNode, number>()

const isObject = (type: unknown): type is GraphQLObjectType | GraphQLInterfaceType =>
  isObjectType(type) || isInterfaceType(type)

/** The memory of the fields of a selection of a type, through fragments. */
function bytesOf(set: SelectionSetNode, type: unknown, info: Info): number {
  const found = known.get(set)
  if (found !== undefined) return found
  const bytes = set.selections.reduce((sum, each) => {
    if (each.kind === Kind.FIELD) {
      const field = isObject(type) ? type.getFields()[each.name.value] : undefined
      return sum + (field && isBounded(field.type) ? leadingBytes : fieldBytes)
    }
    const inner = each.kind === Kind.INLINE_FRAGMENT ? each : info.fragments[each.name.value]
    if (!inner) return sum
    const own = inner.typeCondition ? info.schema.getType(inner.typeCondition.name.value) : type
    return sum + bytesOf(inner.selectionSet, own, info)
  }, 0)
  known.set(set, bytes)
  return bytes
}

/** The memory of one object or value that a field leads to. */
function bytesOfOne(info: Info): number {
  const type = getNamedType(info.returnType)
  if (!isCompositeType(type)) return fieldBytes
  return info.fieldNodes.reduce(
    (sum, { selectionSet }) => sum + (selectionSet ? bytesOf(selectionSet, type, info) : 0),
    objectBytes,
  )
}

const isList = (type: GraphQLOutputType): boolean =>
  isNonNullType(type) ? isList(type.ofType) : isListType(type)

/** The promises of the catalog are none of the language's class. */
const isPromise = (found: unknown): found is PromiseLike<unknown> =>
  typeof (found as { then?: unknown } | null | undefined)?.then === 'function'

/** The resolver of a field of objects or of a list, which counts what it makes as work of the request. */
export function bounded(
  resolve: GraphQLFieldResolver<unknown, unknown> = defaultFieldResolver,
): GraphQLFieldResolver<unknown, unknown> {
  return (parent, args, context, info) => {
    const { work } = context as Context
    if (!work) return resolve(parent, args, context, info)
    if (work.isOver) return work.never
    const counted = (found: unknown) => {
      if (found === null || found === undefined) return found
      const wait = work.take(bytesOfOne(info) * (Array.isArray(found) ? found.length : 1))
      return wait ? wait.then(() => found) : found
    }
    const found = resolve(parent, args, context, info)
    return isPromise(found) ? Promise.resolve(found).then(counted) : counted(found)
  }
}

/** Whether a field leads to objects or to several values. */
export const isBounded = (type: GraphQLOutputType): boolean =>
  isList(type) || isCompositeType(getNamedType(type))
