import { collectFields } from '@graphql-tools/utils'
import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isCompositeType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** What a field of a document costs, as the schema says. */
export interface Charge {
  readonly own: number
  readonly objects: number
  readonly rows: number
  readonly argument?: string
  readonly counted?: string
  /** The window of the fields below that take one and have none: that of this field, or the one that it got itself. */
  readonly window?: unknown
}

export type ChargeOf = (
  type: Pick<GraphQLCompositeType, 'name'>,
  field: GraphQLField<unknown, unknown>,
  given: Readonly<Record<string, unknown>>,
  inherited: unknown,
) => Charge

/** A field of a document. A fragment that is spread twice is two parts of one node. */
export interface Part {
  /** Its key in the answer. */
  readonly key: string
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
  readonly charge: Charge
  readonly below: readonly Part[]
}

/** What parts cost: the work of their reports, and the objects that their lists multiply to. */
export interface Totals {
  readonly cost: number
  readonly objects: number
}

/** How many rows of a list count. */
export type RowsOf = (part: Part) => number

/** Sums of the same parts with the same rows are made once: a fragment may be spread in many places. */
export function totalsOf(parts: readonly Part[], rowsOf: RowsOf): Totals {
  const known = new Map<Part, Totals>()
  const ofAll = (all: readonly Part[]) =>
    all
      .map(ofOne)
      .reduce((sum, one) => ({ cost: sum.cost + one.cost, objects: sum.objects + one.objects }), {
        cost: 0,
        objects: 0,
      })
  function ofOne(part: Part): Totals {
    const found = known.get(part)
    if (found) return found
    const rows = rowsOf(part)
    const below = ofAll(part.below)
    const made = {
      cost: part.charge.own + rows * below.cost,
      objects: rows * (part.charge.objects + below.objects),
    }
    known.set(part, made)
    return made
  }
  return ofAll(parts)
}

export const rowsAsked: RowsOf = ({ charge }) => charge.rows

/** Objects that take about as long to make as a report. */
const objectsPerCost = 10_000

export const costOfObjects = (objects: number): number => objects / objectsPerCost

/** One number for both: the larger. */
export const weightOf = ({ cost, objects }: Totals): number =>
  Math.max(Math.round(cost), Math.floor(costOfObjects(objects)))

type Nodes = readonly FieldNode[]

const isSame = (a: Nodes, b: Nodes) => a.length === b.length && a.every((node, i) => node === b[i])

/**
 * The fields of an operation as a tree, without those that `@skip` and `@include` leave out. Fields of one key are one part, as
 * in the answer. Of the objects that an interface or a union may be, the costliest counts.
 * @throws {GraphQLError} for variables and arguments that are wrong: without them the cost is not known
 */
export function partsOf(asked: ExecutionArgs, chargeOf: ChargeOf): Part[] {
  const { schema, document, operationName, variableValues } = asked
  const operation = getOperationAST(document, operationName)
  const root = operation && schema.getRootType(operation.operation)
  if (!root) return []
  const declared = operation.variableDefinitions ?? []
  const read = getVariableValues(schema, declared, variableValues ?? {}, { maxErrors: 1 })
  if (!read.coerced) throw read.errors[0]
  const { coerced } = read
  const values = { coerced, sources: {} }
  const fragments: Record<string, FragmentDefinitionNode> = {}
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments[part.name.value] = part
  }
  /** What the same nodes lead to: an interface leads to it from each of its objects, and a fragment from each place. */
  const known = new Map<
    FieldNode,
    { nodes: Nodes; type: GraphQLNamedType; window: unknown; below: Part[] }[]
  >()

  function ofObject(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    window: unknown,
  ): Part[] {
    const set = { kind: Kind.SELECTION_SET, selections } as SelectionSetNode
    const { fields } = collectFields(schema, fragments, values, type, set)
    return [...fields].flatMap(([key, nodes]) => {
      const [node] = nodes
      const field = node && type.getFields()[node.name.value]
      if (!node || !field) return []
      const given = getArgumentValues(field, node, coerced)
      const charge = chargeOf(type, field, given, window)
      const below = belowOf(getNamedType(field.type), node, nodes, charge.window)
      return [{ key, name: field.name, given, charge, below }]
    })
  }
  function belowOf(type: GraphQLNamedType, node: FieldNode, nodes: Nodes, window: unknown): Part[] {
    if (!isCompositeType(type)) return []
    const made = known.get(node) ?? []
    known.set(node, made)
    const found = made.find(
      (one) => one.type === type && one.window === window && isSame(one.nodes, nodes),
    )
    if (found) return found.below
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? [])
    const possible = isObjectType(type) ? [type] : schema.getPossibleTypes(type)
    const [below = []] = possible
      .map((one) => ofObject(one, selections, window))
      .sort((a, b) => costIn(b) - costIn(a))
    made.push({ nodes, type, window, below })
    return below
  }
  const costIn = (parts: readonly Part[]) => {
    const { cost, objects } = totalsOf(parts, rowsAsked)
    return cost + costOfObjects(objects)
  }
  return ofObject(root, operation.selectionSet.selections, undefined)
}
