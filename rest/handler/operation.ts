import { buildOperationNodeForField } from '@graphql-tools/utils'
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  OperationTypeNode,
} from 'graphql'
import { z } from 'zod'
import type { DataKind } from '../../core/load/data-kinds.ts'
import type { AccessRule } from '../../schema/kit/access-rule.ts'
import { kindsOf } from '../data-kinds.ts'
import type { Route } from '../routes.ts'

/** A route made ready: the operation to run, and what the schema says of its field. */
export interface Operation {
  readonly route: Route
  readonly document: DocumentNode
  readonly field: GraphQLField<unknown, unknown>
  readonly access: AccessRule
  /** What checks access and arguments of the field, unless the request has passed both. */
  readonly guard: unknown
  /** The kinds of data that its answers are made of. */
  readonly restsOn: readonly DataKind[]
  /** Whether it changes something. */
  readonly isWrite: boolean
  /** Whether it takes `expectedRevision`, which the header `If-Match` carries too. */
  readonly isConditional: boolean
  /** What the body may hold. */
  readonly body: z.ZodObject
  /** Columns of the CSV export, in the order of the record's fields. */
  readonly columns: readonly string[]
  /** Removes, in place, the keys that are absent rather than null. */
  readonly omitNulls: (body: unknown, given: Given) => void
}

/** The arguments of a request. */
type Given = Readonly<Record<string, unknown>>
type Omit = (value: unknown, given: Given) => void

/** What to remove in values of a type; undefined where nothing is, so that most bodies are not walked. */
function omitterOf(type: GraphQLObjectType, seen: ReadonlySet<string>): Omit | undefined {
  if (seen.has(type.name)) return undefined
  const inside = new Set([...seen, type.name])
  const steps: ((object: Record<string, unknown>, given: Given) => void)[] = []
  for (const field of Object.values(type.getFields())) {
    const { name } = field
    const rule = field.extensions.omitNull as true | { unless: string } | undefined
    if (rule) {
      const isAsked = (given: Given) => rule !== true && given[rule.unless] !== undefined
      steps.push((object, given) => {
        if (object[name] === null && !isAsked(given)) delete object[name]
      })
    }
    const named = getNamedType(field.type)
    const omit = isObjectType(named) ? omitterOf(named, inside) : undefined
    if (omit) steps.push((object, given) => eachObject(object[name], omit, given))
  }
  if (steps.length === 0) return undefined
  return (value, given) => {
    for (const step of steps) step(value as Record<string, unknown>, given)
  }
}

function eachObject(value: unknown, visit: Omit, given: Given): void {
  if (Array.isArray(value)) for (const item of value) eachObject(item, visit, given)
  else if (typeof value === 'object' && value !== null) visit(value, given)
}

function rowColumns(type: GraphQLObjectType, key: string | undefined): string[] {
  const rows = key === undefined ? undefined : type.getFields()[key]
  const row = rows && getNamedType(rows.type)
  return isObjectType(row) ? Object.keys(row.getFields()) : []
}

/** The operation behind a route: every argument a variable, every field of the answer selected. */
export function operationFor(schema: GraphQLSchema, route: Route): Operation {
  const isWrite = route.method !== 'GET' && !route.reads
  const kind = isWrite ? OperationTypeNode.MUTATION : OperationTypeNode.QUERY
  const root = isWrite ? schema.getMutationType() : schema.getQueryType()
  const field = root?.getFields()[route.field]
  const type = field && getNamedType(field.type)
  if (!field || !isObjectType(type)) {
    throw new Error(`${route.operationId}: the schema has no such field: ${route.field}`)
  }
  const { access, guard, body } = field.extensions as {
    access: AccessRule
    guard: unknown
    body?: z.ZodObject
  }
  if (route.method !== 'GET' && !body) {
    throw new Error(`${route.operationId}: ${route.field} says nothing of its body`)
  }
  const definition = buildOperationNodeForField({ schema, kind, field: route.field })
  return {
    route,
    field,
    document: { kind: Kind.DOCUMENT, definitions: [definition] },
    access,
    guard,
    restsOn: kindsOf(route.operationId),
    isWrite,
    isConditional: field.args.some(({ name }) => name === 'expectedRevision'),
    body: body ?? z.object({}),
    columns: rowColumns(type, route.csv),
    omitNulls: omitterOf(type, new Set()) ?? (() => undefined),
  }
}
