import {
  defaultFieldResolver,
  type GraphQLArgumentConfig,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
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
  isScalarType,
  isUnionType,
} from 'graphql'
import { bounded, isBounded } from './bounded.ts'
import { costDirectives } from './cost/directives.ts'
import { throwingProblems } from './problem.ts'
import { graphWord } from './words.ts'

/** `scripts` is the graph with the root fields of REST, for `/api/graph`: it asks for one root field by HTTP. */
export type View = 'rest' | 'graph' | 'scripts'

/** How a door shows an object type, a field, an argument or a value of an enum. */
interface RestForm {
  readonly restName?: string
  readonly graphName?: string
  readonly restDescription?: string
}

/** Without a resolver, graphql-js reads a value by the name of the field, which a door may change. */
const resolverOf = (
  name: string,
  { resolve = defaultFieldResolver }: GraphQLFieldConfig<unknown, unknown>,
): typeof resolve =>
  resolve === defaultFieldResolver
    ? (parent) => (parent as Readonly<Record<string, unknown>>)[name]
    : resolve

/**
 * The schema as one door sees it: without the fields and arguments of others, and without types that only they reach.
 * The views share scalars, except that an integer of REST has 53 bits. `mapSchema` would take five times as long in each start.
 */
export function viewOf(schema: GraphQLSchema, view: View): GraphQLSchema {
  const other: View = view === 'rest' ? 'graph' : 'rest'
  const isSeen = ({ extensions }: { extensions?: object | null | undefined }) =>
    (extensions as { view?: View } | undefined)?.view !== other
  const isRoot = (type: string) => view === 'scripts' && type === schema.getQueryType()?.name
  const copies = new Map<string, GraphQLOutputType>()
  const inputs = new Map<string, GraphQLInputType>()

  const wideInteger = schema.getType('SafeInt')
  /** An `Int` of the graph has the 32 bits of GraphQL, which REST never had. */
  const scalarIn = (type: GraphQLScalarType) =>
    view !== 'graph' && type.name === 'Int' && isScalarType(wideInteger) ? wideInteger : type

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
    if (isEnumType(type)) return enumIn(type)
    if (isScalarType(type)) return scalarIn(type)
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
  /** REST knows a value by its word. The graph names each value in one style. */
  function enumIn(type: GraphQLEnumType) {
    if (type.extensions.isWords) return view === 'graph' ? type : GraphQLString
    const config = type.toConfig()
    const values = Object.entries(config.values).map(([word, value]) => [
      view === 'graph' ? graphWord(word) : word,
      { ...value, ...restTextOf(value) },
    ])
    return new GraphQLEnumType({ ...config, values: Object.fromEntries(values) })
  }
  function inputIn(type: GraphQLInputType): GraphQLInputType {
    if (isNonNullType(type)) return new GraphQLNonNull(inputIn(type.ofType))
    if (isListType(type)) return new GraphQLList(inputIn(type.ofType))
    if (isEnumType(type) && !type.extensions.isWords) return copyOf(type) as GraphQLEnumType
    if (isScalarType(type)) return scalarIn(type)
    if (!isInputObjectType(type)) return type
    const known = inputs.get(type.name)
    if (known) return known
    const { fields, ...config } = type.toConfig()
    const copy = new GraphQLInputObjectType({
      ...config,
      fields: () => Object.fromEntries(Object.entries(fields).map(argIn)),
    })
    inputs.set(type.name, copy)
    return copy
  }
  const argIn = <Arg extends GraphQLArgumentConfig | GraphQLInputFieldConfig>([name, arg]: [
    string,
    Arg,
  ]) => [name, { ...arg, type: inputIn(arg.type), ...restTextOf(arg) }] as const
  const restTextOf = ({ extensions }: { extensions?: object | null | undefined }) => {
    const { restDescription: description } = (extensions ?? {}) as RestForm
    return view === 'graph' || description === undefined ? {} : { description }
  }
  function fieldsOf(fields: GraphQLFieldConfigMap<unknown, unknown>, isOpen: boolean) {
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => isOpen || isSeen(field))
        .map(([name, shared]) => {
          const field = view === 'graph' ? shared : throwingProblems(shared)
          const args = Object.entries(field.args ?? {}).filter(([, arg]) => isSeen(arg))
          const { restName, graphName } = (field.extensions ?? {}) as RestForm
          const shown = (view === 'graph' ? graphName : restName) ?? name
          const type = copyOf(field.type)
          const own = shown === name ? field.resolve : resolverOf(name, field)
          const resolve = isBounded(type) ? bounded(own) : own
          const copy = { ...field, type, resolve, args: Object.fromEntries(args.map(argIn)) }
          return [shown, { ...copy, ...restTextOf(field) }]
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
    .map((type) => (isInputObjectType(type) ? inputIn(type) : copyOf(type)) as GraphQLNamedType)
  const directives =
    view === 'graph' ? [...config.directives, ...costDirectives] : config.directives
  return new GraphQLSchema({ ...config, directives, types })
}
