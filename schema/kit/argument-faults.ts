import {
  type ASTNode,
  BREAK,
  coerceInputValue,
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type NamedTypeNode,
  print,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { Fault, fieldFault, invalid } from '../../core/errors.ts'
import { oneOfRule, wholeNumberRule } from '../../core/rule-text.ts'

/** The type of the value at a path below a value of `type`. */
export function typeAt(
  type: GraphQLInputType,
  path: readonly (string | number)[],
): GraphQLInputType {
  if (isNonNullType(type)) return typeAt(type.ofType, path)
  const [key, ...rest] = path
  if (key === undefined) return type
  if (isListType(type)) return typeAt(type.ofType, typeof key === 'number' ? rest : path)
  const field = isInputObjectType(type) ? type.getFields()[key] : undefined
  return field ? typeAt(field.type, rest) : type
}

const scalarRules: Readonly<Record<string, string>> = {
  Int: wholeNumberRule(),
  SafeInt: wholeNumberRule(),
  Float: 'must be a number',
  Boolean: 'must be true or false',
  String: 'must be a text',
  ID: 'must be a text',
  Date: 'must be a day, such as 2025-05-24',
  DateTime: 'must be an ISO 8601 timestamp, such as 2025-05-24T15:56:04Z',
}

/** The rule of a scalar or an enum; undefined for an object. */
function ruleOfType(declared: GraphQLInputType): string | undefined {
  const type = getNullableType(declared)
  if (isEnumType(type)) return oneOfRule(type.getValues().map(({ name }) => name))
  return 'name' in type ? scalarRules[type.name] : undefined
}

const lacking = /^(?:Field "(?:\w+\.)?(\w+)" of required type|Field "\w+" argument "(\w+)" of type)/
const isNull = /^Expected non-nullable type/
const unknown = /^(?:Field "\w+" is not defined|Unknown argument)/

/**
 * The fault of a value that does not fit its type.
 * @param place the argument, with the path below it
 */
export function valueFault(
  place: string,
  { type, wrong, message }: { type?: GraphQLInputType; wrong?: unknown; message: string },
): Fault {
  const [, ofObject, ofField] = lacking.exec(message) ?? []
  const name = ofObject ?? ofField
  if (name !== undefined) return invalid([place, name].filter(Boolean).join('.'), 'is required')
  if (isNull.test(message)) return invalid(place, 'is required')
  const rule = type && !unknown.test(message) ? ruleOfType(type) : undefined
  if (rule !== undefined) return invalid(place, rule, wrong)
  return fieldFault('invalid_argument', place, `is not valid: ${message}`)
}

type Step = ASTNode | readonly ASTNode[]

/** The argument that a node of a document belongs to, with the path below it; undefined outside of arguments. */
function argumentPath(steps: readonly Step[], keys: readonly (string | number)[]) {
  let path: (string | number)[] = []
  steps.forEach((step, depth) => {
    const above = steps[depth - 1]
    if ('kind' in step) {
      if (step.kind === Kind.ARGUMENT) path = [step.name.value]
      else if (step.kind === Kind.OBJECT_FIELD) path.push(step.name.value)
    } else if (above && 'kind' in above && above.kind === Kind.LIST) {
      const index = keys[depth]
      if (index !== undefined) path.push(index)
    }
  })
  return path.length > 0 ? path.join('.') : undefined
}

interface Place {
  readonly argument: string | undefined
  readonly type: GraphQLInputType | undefined
  readonly node: ASTNode
}

/** The first node of a document that fits, with its argument and the type of its value. */
function placeOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  fits: (node: ASTNode) => boolean,
): Place | undefined {
  let found: Place | undefined
  const info = new TypeInfo(schema)
  const enter = (
    node: ASTNode,
    _key: unknown,
    parent: Step | undefined,
    keys: readonly (string | number)[],
    ancestors: readonly Step[],
  ) => {
    if (!fits(node)) return undefined
    const steps = [...ancestors, ...(parent ? [parent] : []), node]
    const type = info.getInputType() ?? undefined
    found = { argument: argumentPath(steps, keys), type, node }
    return BREAK
  }
  visit(document, visitWithTypeInfo(info, { enter }))
  return found
}

/** The fault of a document that GraphQL's rules refuse at an argument; undefined for what is about no argument. */
export function documentFault(
  schema: GraphQLSchema,
  document: DocumentNode,
  { nodes: [wrong] = [], message }: Pick<GraphQLError, 'nodes' | 'message'>,
): Fault | undefined {
  if (!wrong) return undefined
  const place = placeOf(
    schema,
    document,
    ({ kind, loc }) => kind === wrong.kind && loc?.start === wrong.loc?.start,
  )
  if (!place) return undefined
  const { argument = '', type } = place
  if (argument === '' && !lacking.test(message)) return undefined
  const isText = place.node.kind === Kind.STRING
  const given = isText ? place.node.value : print(place.node)
  return valueFault(argument, { ...(type ? { type } : {}), wrong: given, message })
}

/** One fault of several: the text of the first, and the fields of all. */
function together([first, ...others]: readonly Fault[]): Fault | undefined {
  if (!first || others.length === 0) return first
  const fieldErrors: Record<string, string[]> = {}
  for (const { extras } of [first, ...others])
    Object.assign(fieldErrors, extras.details?.fieldErrors)
  return new Fault(first.code, first.message, {
    extras: { details: { formErrors: [], fieldErrors } },
  })
}

/** The faults of one variable, named by the argument that takes it. */
function faultsOfVariable(
  {
    schema,
    document,
    variableValues,
  }: Pick<ExecutionArgs, 'schema' | 'document' | 'variableValues'>,
  { variable, type: node, defaultValue }: VariableDefinitionNode,
): Fault[] {
  const name = variable.name.value
  const type = typeFromAST(schema, node as NamedTypeNode)
  const value = variableValues?.[name]
  if (!isInputType(type) || (value === undefined && defaultValue)) return []
  const isUse = (one: ASTNode) =>
    one.kind === Kind.VARIABLE && one.name.value === name && one !== variable
  const place = () => placeOf(schema, document, isUse)?.argument ?? `$${name}`
  if (value === undefined || value === null) {
    return isNonNullType(type) ? [invalid(place(), 'is required')] : []
  }
  const faults: Fault[] = []
  coerceInputValue(value, type, (path, wrong, { message }) => {
    const at = [place(), ...path].join('.')
    faults.push(valueFault(at, { type: typeAt(type, path), wrong, message }))
  })
  return faults
}

/** The error of the variables that do not fit their types; undefined where all do. */
export function variableError(
  asked: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>,
): GraphQLError | undefined {
  const operation = getOperationAST(asked.document, asked.operationName)
  const wrong = (operation?.variableDefinitions ?? []).flatMap((node) => {
    const faults = faultsOfVariable(asked, node)
    return faults.length > 0 ? [{ node, faults }] : []
  })
  const fault = together(wrong.flatMap(({ faults }) => faults))
  if (!fault) return undefined
  return new GraphQLError(fault.message, {
    nodes: wrong.map(({ node }) => node),
    originalError: fault,
  })
}
