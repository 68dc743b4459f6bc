import {
  type ASTNode,
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
const mostInt = 2 ** 31 - 1
const beyondInt = /\bnon 32-bit signed integer\b/
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
  if (beyondInt.test(message)) return invalid(place, wholeNumberRule(-mostInt, mostInt), wrong)
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

/** Finds nodes of a document in one pass: the first of each name, with its argument and the type of its value. */
function placesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  nameOf: (node: ASTNode) => string | undefined,
): Map<string, Place> {
  const places = new Map<string, Place>()
  const info = new TypeInfo(schema)
  const enter = (
    node: ASTNode,
    _key: unknown,
    parent: Step | undefined,
    keys: readonly (string | number)[],
    ancestors: readonly Step[],
  ) => {
    const name = nameOf(node)
    if (name === undefined || places.has(name)) return
    const steps = [...ancestors, ...(parent ? [parent] : []), node]
    const type = info.getInputType() ?? undefined
    places.set(name, { argument: argumentPath(steps, keys), type, node })
  }
  visit(document, visitWithTypeInfo(info, { enter }))
  return places
}

const nodeName = ({ kind, loc }: ASTNode) => `${kind} ${loc?.start}`

/**
 * The faults of a document that GraphQL's rules refuse, one for each error; undefined for what is about no argument.
 */
export function documentFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly Pick<GraphQLError, 'nodes' | 'message'>[],
): (Fault | undefined)[] {
  const wrong = new Set(errors.flatMap(({ nodes }) => (nodes?.[0] ? [nodeName(nodes[0])] : [])))
  const places = placesOf(schema, document, (node) => {
    const name = nodeName(node)
    return wrong.has(name) ? name : undefined
  })
  return errors.map(({ nodes, message }) => {
    const place = nodes?.[0] && places.get(nodeName(nodes[0]))
    if (!place) return undefined
    const { argument = '', type, node } = place
    if (argument === '' && !lacking.test(message)) return undefined
    const given = node.kind === Kind.STRING ? node.value : print(node)
    return valueFault(argument, { ...(type ? { type } : {}), wrong: given, message })
  })
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

/** The faults that an answer names at most. A list of a variable may have a hundred thousand. */
const mostFaults = 50

/** Ends the reading of a value whose faults are enough. */
class Enough extends Error {}

interface Reading extends Pick<ExecutionArgs, 'schema' | 'variableValues'> {
  /** The argument that takes a variable. */
  readonly argumentOf: (variable: string) => string | undefined
  readonly mostFaults: number
}

/** The faults of one variable, named by the argument that takes it. */
function faultsOfVariable(
  { schema, variableValues, argumentOf, mostFaults }: Reading,
  { variable, type: node, defaultValue }: VariableDefinitionNode,
): Fault[] {
  const name = variable.name.value
  const type = typeFromAST(schema, node as NamedTypeNode)
  const value = variableValues?.[name]
  if (!isInputType(type) || (value === undefined && defaultValue)) return []
  const place = () => argumentOf(name) ?? `$${name}`
  if (value === undefined || value === null) {
    return isNonNullType(type) ? [invalid(place(), 'is required')] : []
  }
  const faults: Fault[] = []
  try {
    coerceInputValue(value, type, (path, wrong, { message }) => {
      const at = [place(), ...path].join('.')
      faults.push(valueFault(at, { type: typeAt(type, path), wrong, message }))
      if (faults.length >= mostFaults) throw new Enough()
    })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return faults
}

/** The error of the variables that do not fit their types; undefined where all do. */
export function variableError({
  schema,
  document,
  operationName,
  variableValues,
}: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>):
  | GraphQLError
  | undefined {
  const operation = getOperationAST(document, operationName)
  let places: Map<string, Place> | undefined
  const argumentOf = (name: string) => {
    places ??= placesOf(schema, document, usedVariable())
    return places.get(name)?.argument
  }
  const nodes: VariableDefinitionNode[] = []
  const faults: Fault[] = []
  for (const node of operation?.variableDefinitions ?? []) {
    const left = mostFaults - faults.length
    if (left <= 0) break
    const found = faultsOfVariable({ schema, variableValues, argumentOf, mostFaults: left }, node)
    if (found.length > 0) nodes.push(node)
    faults.push(...found)
  }
  const fault = together(faults)
  return fault && new GraphQLError(fault.message, { nodes, originalError: fault })
}

/** Names the variables where a document uses them, and not where it declares them. */
function usedVariable(): (node: ASTNode) => string | undefined {
  let declared: ASTNode | undefined
  return (node) => {
    if (node.kind === Kind.VARIABLE_DEFINITION) declared = node.variable
    return node.kind === Kind.VARIABLE && node !== declared ? node.name.value : undefined
  }
}
