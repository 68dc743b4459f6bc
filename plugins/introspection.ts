import { createHash } from 'node:crypto'
import type { Plugin } from '@envelop/core'
import { collectFields } from '@graphql-tools/utils'
import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isObjectType,
  Kind,
  print,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { Fault } from '../core/errors.ts'
import type { WithPrincipal, WorkParts } from './work.ts'

/** Values that one introspection may give: four times those of what tools ask for. */
const mostValues = 200_000

/** Characters of a text that count as one value more. */
const textOfValue = 100

/** Made in about the time of a report. */
const valuesPerCost = 20_000

const metaFields = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field] as const),
)

const known = new WeakMap<DocumentNode, boolean>()

/** Whether a document names a field of introspection: most do not. */
function namesSchema(document: DocumentNode): boolean {
  const found = known.get(document)
  if (found !== undefined) return found
  let isNamed = false
  visit(document, {
    Field({ name }) {
      if (!metaFields.has(name.value)) return undefined
      isNamed = true
      return BREAK
    },
  })
  known.set(document, isNamed)
  return isNamed
}

const nameOf = (nodes: readonly FieldNode[]) => nodes[0]?.name.value ?? ''

type Selected = readonly (readonly [key: string, nodes: readonly FieldNode[]])[]

interface Introspection {
  /** The fields of the root. */
  readonly roots: Selected
  /** The fields of a selection, each under its key. */
  readonly below: (nodes: readonly FieldNode[], type: GraphQLObjectType) => Selected
  readonly coerced: Readonly<Record<string, unknown>>
}

/** What a query selects; undefined for what asks for no schema, and where its execution refuses the variables. */
function introspectionOf(asked: ExecutionArgs): Introspection | undefined {
  const { schema, document, operationName, variableValues } = asked
  if (!namesSchema(document)) return undefined
  const operation = getOperationAST(document, operationName)
  const query = schema.getQueryType()
  if (operation?.operation !== 'query' || !query) return undefined
  const declared = operation.variableDefinitions ?? []
  const { coerced } = getVariableValues(schema, declared, variableValues ?? {}, { maxErrors: 1 })
  if (!coerced) return undefined
  const fragments: Record<string, FragmentDefinitionNode> = {}
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments[part.name.value] = part
  }
  const values = { coerced, sources: {} }
  const fieldsOf = (type: GraphQLObjectType, set: SelectionSetNode) =>
    collectFields(schema, fragments, values, type, set).fields
  const known = new Map<readonly FieldNode[], Selected>()
  return {
    roots: [...fieldsOf(query, operation.selectionSet)],
    below(nodes, type) {
      const found = known.get(nodes)
      if (found) return found
      const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
      const selected = [...fieldsOf(type, { kind: Kind.SELECTION_SET, selections })]
      known.set(nodes, selected)
      return selected
    },
    coerced,
  }
}

/**
 * The number of values that fields of the root give. They are counted without being made: a type that many fields lead to
 * is counted once.
 * @throws {Fault} `query_too_costly`
 */
function valuesOfRoots(
  { schema }: ExecutionArgs,
  { below, coerced }: Introspection,
  roots: Selected,
): number {
  const known = new Map<readonly FieldNode[], WeakMap<object, number>>()
  let counted = 0
  const add = (values: number) => {
    counted += values
    if (counted > mostValues) {
      const message = `The introspection gives more than ${mostValues} values.`
      throw new Fault('query_too_costly', message)
    }
  }
  type Field = GraphQLField<unknown, unknown>
  function valuesOf(source: object, nodes: readonly FieldNode[], type: GraphQLObjectType): void {
    const ofNodes = known.get(nodes) ?? new WeakMap<object, number>()
    known.set(nodes, ofNodes)
    const found = ofNodes.get(source)
    if (found !== undefined) {
      add(found)
      return
    }
    const before = counted
    for (const [, selected] of below(nodes, type)) {
      add(1)
      const field = selected[0] && type.getFields()[selected[0].name.value]
      if (field) valuesIn(source, selected, field)
    }
    ofNodes.set(source, counted - before)
  }
  function valuesIn(source: unknown, nodes: readonly FieldNode[], field: Field): void {
    const type = getNamedType(field.type)
    const [node] = nodes
    if (!node) return
    const given = getArgumentValues(field, node, coerced)
    // The resolvers of introspection read the schema alone.
    const value: unknown = field.resolve?.(source, given, undefined, { schema } as never)
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'string') add(Math.floor(item.length / textOfValue))
      if (typeof item !== 'object' || item === null || !isObjectType(type)) continue
      add(1)
      valuesOf(item, nodes, type)
    }
  }
  for (const [, nodes] of roots) {
    const field = metaFields.get(nameOf(nodes))
    if (field) valuesIn(undefined, nodes, field)
  }
  return counted
}

const keyOf = ({ document, operationName, variableValues }: ExecutionArgs) =>
  createHash('sha256')
    .update(JSON.stringify([print(document), operationName ?? '', variableValues ?? {}]))
    .digest('base64')

/** Of the schema of the graph, which alone is asked for. */
const costs = new LRUCache<string, number>({ max: 1000 })

/**
 * The cost of the introspection in a document, by the values that it gives.
 * @param turn waits for a turn of the event loop, before the values are counted
 * @throws {Fault} `query_too_costly`
 */
export async function introspectionCost(
  asked: ExecutionArgs,
  turn: () => Promise<void>,
): Promise<number> {
  const introspection = introspectionOf(asked)
  if (!introspection) return 0
  const asking = introspection.roots.filter(([, nodes]) => metaFields.has(nameOf(nodes)))
  if (asking.length === 0) return 0
  const schemas = asking.filter(([, nodes]) => nameOf(nodes) === SchemaMetaFieldDef.name)
  if (schemas.length > 1) {
    const message = `A document asks for \`__schema\` once; this one does so ${schemas.length} times.`
    throw new Fault('query_too_costly', message)
  }
  const key = keyOf(asked)
  if (!costs.has(key)) await turn()
  // Another request may have counted it meanwhile.
  const cost = costs.get(key) ?? valuesOfRoots(asked, introspection, asking) / valuesPerCost
  costs.set(key, cost)
  return cost
}

/** Whether a document asks for nothing but the schema. */
function isPure(asked: ExecutionArgs): boolean {
  const { roots = [] } = introspectionOf(asked) ?? {}
  const names = roots.map(([, nodes]) => nameOf(nodes))
  return (
    names.some((name) => metaFields.has(name)) &&
    names.every((name) => metaFields.has(name) || name === '__typename')
  )
}

type Execute = (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>

/** A result, and its text where that is there already. */
type Answered = ExecutionResult & { readonly stringify?: () => string }

const cacheBytes = 16 * 1024 * 1024

/** Answers a document about the schema from memory, once it was answered: the answer is that of every key. */
export function useIntrospection({ turn }: WorkParts): Plugin<WithPrincipal> {
  const cache = new LRUCache<string, string>({
    maxSize: cacheBytes,
    sizeCalculation: (text) => text.length,
  })
  const underway = new Map<string, Promise<Answered>>()

  async function make(key: string, execution: ExecutionArgs, execute: Execute): Promise<Answered> {
    await turn((execution.contextValue as WithPrincipal).principal.keyId)
    const result = await execute(execution)
    if (result.errors) return result
    const text = JSON.stringify(result)
    cache.set(key, text)
    return { stringify: () => text }
  }
  function answer(execution: ExecutionArgs, execute: Execute): Answered | Promise<Answered> {
    const key = keyOf(execution)
    const known = cache.get(key)
    if (known !== undefined) return { stringify: () => known }
    const begun = underway.get(key) ?? make(key, execution, execute)
    underway.set(key, begun)
    return begun.finally(() => underway.delete(key))
  }
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      if (!isPure(args)) return
      const execute = executeFn as Execute
      setExecuteFn((execution: ExecutionArgs) => answer(execution, execute))
    },
  }
}
