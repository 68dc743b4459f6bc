import type { Plugin } from '@envelop/core'
import {
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql'

interface DepthLimits {
  /** Fields below each other. `nodes`, `edges` and `node` of a connection are no levels of their own. */
  readonly depth: number
  /** Connections below each other, whose numbers of rows multiply. */
  readonly lists: number
}

type Depth = DepthLimits

const none: Depth = { depth: 0, lists: 0 }

const deeper = (a: Depth, b: Depth): Depth => ({
  depth: Math.max(a.depth, b.depth),
  lists: Math.max(a.lists, b.lists),
})

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
    if (field.name.value.startsWith('__')) return none
    const below = field.selectionSet ? ofSelections(field.selectionSet) : none
    if (!isWrapper(field)) return { ...below, depth: below.depth + 1 }
    // `edges { node }` is one list, as `nodes` is.
    return field.name.value === 'node' ? below : { ...below, lists: below.lists + 1 }
  }
  function ofSelections({ selections }: SelectionSetNode): Depth {
    return selections
      .map((each) => {
        if (each.kind === Kind.FIELD) return ofField(each)
        if (each.kind === Kind.INLINE_FRAGMENT) return ofSelections(each.selectionSet)
        return ofFragment(each.name.value)
      })
      .reduce(deeper, none)
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
        const { depth, lists } = depthOf(selectionSet)
        const refuse = (what: string, limit: number, found: number) => {
          throw new GraphQLError(
            `Syntax Error: ${what} limit of ${limit} exceeded, found ${found}.`,
          )
        }
        if (depth > limits.depth) refuse('Query depth', limits.depth, depth)
        if (lists > limits.lists) refuse('Nested lists', limits.lists, lists)
      },
    }
  }
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) }
}
