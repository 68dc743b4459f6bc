import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { DocumentList } from './document-list.ts'
import type { RequestState, WithRequestState } from './request-state.ts'

/**
 * The names of the fields, through fragments.
 * @param fragments those that have not been read yet: each is read once, however often it is spread
 */
function fieldNames(
  { selections }: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
  names: Set<string>,
): Set<string> {
  for (const selection of selections) {
    // Two names are enough to know that there are several.
    if (names.size > 1) break
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value !== '__typename') names.add(selection.name.value)
      continue
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    if (selection.kind === Kind.FRAGMENT_SPREAD) fragments.delete(selection.name.value)
    if (inner) fieldNames(inner.selectionSet, fragments, names)
  }
  return names
}

/**
 * The name of an operation in metrics: its name where the document is listed, or else its root field, and `several`
 * for more than one. Never a text of the client, of which there may be any number.
 */
export function operationLabel(
  document: DocumentNode,
  operationName: string | null | undefined,
  isListed: boolean,
): string {
  const operation = getOperationAST(document, operationName)
  if (!operation) return 'none'
  if (isListed && operation.name) return operation.name.value
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments.set(part.name.value, part)
  }
  const [name = 'none', other] = fieldNames(operation.selectionSet, fragments, new Set())
  return other === undefined ? name : 'several'
}

/** Names the operation of a request of `/graphql`, for metrics. */
export function useOperationName({ byHash }: DocumentList): Plugin<object, WithRequestState> {
  const texts = new Set(byHash.values())
  const listed = new WeakSet<DocumentNode>()
  interface Asked {
    readonly document: DocumentNode
    readonly operationName?: string | null | undefined
    readonly contextValue?: unknown
  }
  const name = ({ document, operationName, contextValue }: Asked) => {
    const { requestState } = contextValue as { requestState: RequestState }
    requestState.operation = operationLabel(document, operationName, listed.has(document))
    return requestState
  }
  return {
    onParse({ params }) {
      if (!texts.has(String(params.source))) return
      return ({ result }) => {
        if (result && !(result instanceof Error)) listed.add(result as DocumentNode)
      }
    },
    onExecute({ args }) {
      name(args)
    },
    onSubscribe({ args }) {
      name(args).isStream = true
    },
  }
}
