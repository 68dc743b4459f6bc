import type { Plugin } from '@envelop/core'
import {
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValueNode,
} from 'graphql'
import { Fault } from '../../core/errors.ts'

interface DepthLimits {
  /** Fields below each other. `nodes`, `edges` and `node` of a connection are no levels of their own. */
  readonly depth: number
  /** Connections below each other, whose numbers of rows multiply. */
  readonly lists: number
  /** Fields and values of arguments, those of a fragment once for each spread. Later steps read all of them. */
  readonly size: number
}

type Depth = DepthLimits

const none: Depth = { depth: 0, lists: 0, size: 0 }

const both = (a: Depth, b: Depth): Depth => ({
  depth: Math.max(a.depth, b.depth),
  lists: Math.max(a.lists, b.lists),
  size: a.size + b.size,
})

function valuesIn(value: ValueNode): number {
  if (value.kind === Kind.LIST) return value.values.reduce((sum, item) => sum + valuesIn(item), 1)
  if (value.kind !== Kind.OBJECT) return 1
  return value.fields.reduce((sum, field) => sum + valuesIn(field.value), 1)
}

/** The fields between a connection and the fields of its rows. `node(id:)` and `nodes(ids:)` of the root are others. */
const isWrapper = ({ name, arguments: given }: FieldNode) =>
  /^(?:nodes|edges|node)$/.test(name.value) && given?.length === 0

/** How deep selections go. Each fragment is measured once, however often a document spreads it. */
function depthsOf(context: ValidationContext) {
  const ofFragments = new Map<string, Depth>()

  function ofFragment(name: string): Depth {
    const known = ofFragments.get(name)
    if (known) return known
    // A fragment within itself is refused by another rule.
    ofFragments.set(name, none)
    const found = context.getFragment(name)
    const depth = found ? ofSelections(found.selectionSet) : none
    ofFragments.set(name, depth)
    return depth
  }
  function ofField(field: FieldNode): Depth {
    const { arguments: given = [] } = field
    const own = given.reduce((sum, { value }) => sum + valuesIn(value), 1)
    const inner = field.selectionSet ? ofSelections(field.selectionSet) : none
    const below = { ...inner, size: own + inner.size }
    // GraphQL's own rule bounds the depth of introspection.
    if (field.name.value.startsWith('__')) return { ...none, size: below.size }
    if (!isWrapper(field)) return { ...below, depth: below.depth + 1 }
    // `edges { node }` is one list, as `nodes` is.
    return field.name.value === 'node' ? below : { ...below, lists: below.lists + 1 }
  }
  function ofSelections({ selections }: SelectionSetNode): Depth {
    return selections
      .map((each) => {
        if (each.kind === Kind.FIELD) return ofField(each)
        if (each.kind === Kind.INLINE_FRAGMENT) return ofSelections(each.selectionSet)
        const { size, ...depth } = ofFragment(each.name.value)
        return { ...depth, size: size + 1 }
      })
      .reduce(both, none)
  }
  return ofSelections
}

/**
 * Refuses documents that go deeper than the limits. Lists count apart, because `edges { node }` would take one level
 * more than `nodes` for the same rows.
 */
export function useDepthLimits(limits: DepthLimits): Plugin {
  const rule = (context: ValidationContext) => {
    const depthOf = depthsOf(context)
    return {
      OperationDefinition({ selectionSet }: { readonly selectionSet: SelectionSetNode }) {
        const { depth, lists, size } = depthOf(selectionSet)
        const refuse = (what: string, limit: number, found: number) => {
          throw new GraphQLError(
            `Syntax Error: ${what} limit of ${limit} exceeded, found ${found}.`,
          )
        }
        if (depth > limits.depth) refuse('Query depth', limits.depth, depth)
        if (lists > limits.lists) refuse('Nested lists', limits.lists, lists)
        if (size > limits.size) {
          const message = `The document selects more than ${limits.size} fields.`
          throw new GraphQLError(message, { originalError: new Fault('query_too_costly', message) })
        }
      },
    }
  }
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) }
}
