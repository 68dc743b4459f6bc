import { collectFields } from '@graphql-tools/utils'
import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationTypeNode,
} from 'graphql'

/** A root field of an operation, as it is asked for. */
export interface RootField {
  /** Its key in the answer. */
  readonly key: string
  readonly nodes: readonly FieldNode[]
  readonly field: GraphQLField<unknown, unknown>
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * The fields of an operation of certain types; none for another one, or where the execution will refuse the variables. A field
 * that every object has, such as `__typename`, is left out.
 */
export function rootFieldsOf(
  asked: ExecutionArgs,
  types: readonly `${OperationTypeNode}`[] = ['mutation', 'subscription'],
): RootField[] {
  const { schema, document, operationName, variableValues } = asked
  const operation = getOperationAST(document, operationName)
  if (!operation || !types.includes(operation.operation)) return []
  const type = schema.getRootType(operation.operation)
  if (!type) return []
  const declared = operation.variableDefinitions ?? []
  const { coerced } = getVariableValues(schema, declared, variableValues ?? {}, { maxErrors: 1 })
  if (!coerced) return []
  const fragments: Record<string, FragmentDefinitionNode> = {}
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments[part.name.value] = part
  }
  const values = { coerced, sources: {} }
  const { fields } = collectFields(schema, fragments, values, type, operation.selectionSet)
  return [...fields].flatMap(([key, nodes]) => {
    const [node] = nodes
    const field = node && type.getFields()[node.name.value]
    return field ? [{ key, nodes, field, args: getArgumentValues(field, node, coerced) }] : []
  })
}

/** The access and arguments of the field, checked without running it. */
export async function passGuard({ field, args }: RootField, context: object): Promise<void> {
  type Guard = (parent: unknown, args: object, context: object) => Promise<object>
  await (field.extensions.guard as Guard)(undefined, args, context)
}
