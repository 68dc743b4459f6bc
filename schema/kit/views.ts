import {
  type GraphQLArgumentConfig,
  type GraphQLFieldConfigMap,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { throwingProblems } from './problem.ts'

/** `scripts` is the graph with the root fields of REST, for `/api/graph`: it asks for one root field by HTTP. */
export type View = 'rest' | 'graph' | 'scripts'

/** How REST shows an object type, a field or an argument. */
interface RestForm {
  readonly restName?: string
  readonly restDescription?: string
}

/**
 * The schema as one door sees it: without the fields and arguments of others, and without types that only they reach.
 * The views share scalars, enums and inputs. `mapSchema` would copy each of them too, and takes five times as long
 * in each start.
 */
export function viewOf(schema: GraphQLSchema, view: View): GraphQLSchema {
  const other: View = view === 'rest' ? 'graph' : 'rest'
  const isSeen = ({ extensions }: { extensions?: object | null | undefined }) =>
    (extensions as { view?: View } | undefined)?.view !== other
  const isRoot = (type: string) => view === 'scripts' && type === schema.getQueryType()?.name
  const copies = new Map<string, GraphQLOutputType>()

  const nameOf = ({ name, extensions }: GraphQLNamedType) =>
    (view === 'graph' ? undefined : (extensions as RestForm).restName) ?? name

  function copyOf(type: GraphQLOutputType): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(copyOf(type.ofType))
    if (isListType(type)) return new GraphQLList(copyOf(type.ofType))
    const known = copies.get(type.name)
    if (known) return known
    const copy = newCopy(type)
    copies.set(type.name, copy)
    return copy
  }
  function newCopy(type: GraphQLOutputType): GraphQLOutputType {
    if (isObjectType(type)) {
      return new GraphQLObjectType({ ...copiedFields(type.toConfig()), name: nameOf(type) })
    }
    if (isInterfaceType(type)) return new GraphQLInterfaceType(copiedFields(type.toConfig()))
    if (isEnumType(type) && type.extensions.isWords && view !== 'graph') return GraphQLString
    if (!isUnionType(type)) return type
    const config = type.toConfig()
    return new GraphQLUnionType({ ...config, types: () => config.types.map(objectOf) })
  }
  const objectOf = (type: GraphQLObjectType) => copyOf(type) as GraphQLObjectType

  type Config = ReturnType<(GraphQLObjectType | GraphQLInterfaceType)['toConfig']>
  function copiedFields<C extends Config>(config: C) {
    return {
      ...config,
      interfaces: () =>
        config.interfaces
          // An interface of the other door alone has no field here.
          .filter((type) => Object.values(type.getFields()).some(isSeen))
          .map((type) => copyOf(type) as GraphQLInterfaceType),
      fields: () => fieldsOf(config.fields, isRoot(config.name)),
    }
  }
  const described = ([name, arg]: [string, GraphQLArgumentConfig]) => {
    const { restDescription: description } = (arg.extensions ?? {}) as RestForm
    return [name, view === 'graph' || description === undefined ? arg : { ...arg, description }]
  }
  function fieldsOf(fields: GraphQLFieldConfigMap<unknown, unknown>, isOpen: boolean) {
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => isOpen || isSeen(field))
        .map(([name, shared]) => {
          const field = view === 'graph' ? shared : throwingProblems(shared)
          const args = Object.entries(field.args ?? {}).filter(([, arg]) => isSeen(arg))
          const { restName, restDescription } = (field.extensions ?? {}) as RestForm
          const description = view === 'graph' ? undefined : restDescription
          const type = copyOf(field.type)
          const copy = { ...field, type, args: Object.fromEntries(args.map(described)) }
          return [restName ?? name, description === undefined ? copy : { ...copy, description }]
        }),
    )
  }

  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()]
  // REST has no streams.
  const subscription = view === 'graph' ? schema.getSubscriptionType() : undefined
  const config = {
    ...schema.toConfig(),
    query: query && objectOf(query),
    mutation: mutation && objectOf(mutation),
    subscription: subscription && objectOf(subscription),
  }
  const reached = new GraphQLSchema({ ...config, types: [] }).getTypeMap()
  // An object that only its interface reaches is part of the view too.
  const isPart = (type: GraphQLNamedType) =>
    !isIntrospectionType(type) &&
    (nameOf(type) in reached ||
      (isObjectType(type) && type.getInterfaces().some(({ name }) => name in reached)))
  // All of them, so that their order stays.
  const types = Object.values(schema.getTypeMap())
    .filter(isPart)
    .map((type) => (isInputObjectType(type) ? type : (copyOf(type) as GraphQLNamedType)))
  return new GraphQLSchema({ ...config, types })
}
