import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { window } from '../kit/graphql/neighbours.ts'

type Fields = GraphQLObjectType | GraphQLInterfaceType

const hasFields = (type: GraphQLNamedType): type is Fields =>
  isObjectType(type) || isInterfaceType(type)

const isConnection = ({ name }: GraphQLNamedType) => name.endsWith('Connection')

/** An object that other objects lead to: it has a `nodeId`, or is a brand. */
const isEntity = (type: GraphQLNamedType) =>
  isInterfaceType(type) ||
  (isObjectType(type) && type.getInterfaces().some(({ name }) => ['Node', 'Brand'].includes(name)))

/** A field that leads to other objects, or reads facts of a window. */
function isEdge({ args, type }: GraphQLField<unknown, unknown>): boolean {
  const named = getNamedType(type)
  return isConnection(named) || isEntity(named) || args.some(({ name }) => name === 'window')
}

/** Runs and schedules lead to each other, and are made in the tests of collecting alone. */
const ofCollecting = (type: GraphQLNamedType) =>
  /^(Run|Schedule)(Connection|Edge)?$/.test(type.name)

const isAsked = ({ args, type: asked }: GraphQLField<unknown, unknown>) =>
  !ofCollecting(getNamedType(asked)) &&
  args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined)

function argsOf({ args }: GraphQLField<unknown, unknown>): string {
  const given = [
    ...(args.some(({ name }) => name === 'window') ? [window] : []),
    ...(args.some(({ name }) => name === 'first') ? ['first: 2'] : []),
  ]
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

/** The fields of `Metric` that take statements of their own. */
const ofIntervals = 'low high basketLow basketHigh effectiveN designEffect caveat'.split(' ')

/** The types that objects of a project lead to. Who only changes lead to has one object a request. */
function reached(schema: GraphQLSchema): Set<Fields> {
  const found = new Set<Fields>()
  const visit = (type: GraphQLNamedType) => {
    if (!hasFields(type) || found.has(type)) return
    found.add(type)
    for (const field of Object.values(type.getFields())) visit(getNamedType(field.type))
    if (isInterfaceType(type)) schema.getPossibleTypes(type).forEach(visit)
  }
  const project = schema.getType('Project')
  if (project) visit(project)
  return found
}

/** All edges of the schema, such as `Topic.answers`, except those of the project and of its workspace. */
export function edgesOf(schema: GraphQLSchema): string[] {
  const roots = ['Project', 'Workspace', 'Query', 'PageInfo', 'ApiKey']
  return [...reached(schema)]
    .filter((type) => isObjectType(type) && !roots.includes(type.name))
    .filter((type) => !/(Connection|Edge)$/.test(type.name) && !ofCollecting(type))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => isEdge(field) && isAsked(field))
        .map(({ name }) => `${type.name}.${name}`),
    )
    .sort()
}

/**
 * Asks for all fields of a type: values, and objects with their own fields. Edges lead one step on, to the values of
 * their objects. Intervals of metrics triple the statements: ask for them where they matter.
 */
export function allFields(schema: GraphQLSchema, typeName: string): string {
  return selectionOf(schema.getType(typeName) as Fields, 1)
}

/** Asks for the intervals of all metrics of the reports that a type leads to. */
export function allIntervals(schema: GraphQLSchema, typeName: string): string {
  return intervalsIn(schema.getType(typeName) as Fields, 1).join(' ')
}

function intervalsIn(type: Fields, steps: number): string[] {
  if (type.name === 'Metric') return ofIntervals
  return Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type)
    if (!hasFields(named) || !isAsked(field) || isConnection(named)) return []
    if (isEntity(named) || (steps === 0 && isEdge(field))) return []
    const asked = intervalsIn(named, isEdge(field) ? steps - 1 : steps)
    return asked.length === 0 ? [] : [`${field.name}${argsOf(field)} { ${asked.join(' ')} }`]
  })
}

function selectionOf(type: Fields, steps: number): string {
  const own = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type)
    if (!isAsked(field)) return []
    const asked = `${field.name}${argsOf(field)}`
    if (type.name === 'Metric' && ofIntervals.includes(field.name)) return []
    if (isLeafType(named)) return steps > 0 || field.args.length === 0 ? [asked] : []
    if (!hasFields(named)) return []
    if (isConnection(named)) {
      if (steps === 0) return []
      const row = getNamedType(named.getFields().nodes?.type) as Fields
      return [`${asked} { totalCount nodes { ${selectionOf(row, stepsInto(row, steps))} } }`]
    }
    if (steps === 0 && (isEdge(field) || field.args.length > 0)) return []
    const next = isEdge(field) ? stepsInto(named, steps) : steps
    return [`${asked} { ${selectionOf(named, next)} }`]
  })
  return own.join(' ')
}

/** A row that only names an object, such as a prompt with its number of answers, leads on to the object. */
const stepsInto = (type: Fields, steps: number) =>
  isEntity(type) || 'window' in type.getFields() ? steps - 1 : steps - (isRow(type) ? 0 : 1)

const isRow = (type: Fields) =>
  Object.values(type.getFields()).some(
    (field) => isEntity(getNamedType(field.type)) && field.args.length === 0,
  )

/** The edges that an answer has something at: `data` is what `allFields` of the type asked for. */
export function edgesWith(schema: GraphQLSchema, typeName: string, rows: readonly unknown[]) {
  const found = new Set<string>()
  const visit = (type: GraphQLNamedType, value: unknown) => {
    if (Array.isArray(value)) for (const item of value) visit(type, item)
    else if (hasFields(type) && value !== null && typeof value === 'object') {
      for (const [name, of] of Object.entries(value)) {
        const field = type.getFields()[name]
        if (field === undefined) continue
        if (!isEmpty(of)) found.add(`${type.name}.${name}`)
        visit(getNamedType(field.type), of)
      }
    }
  }
  const start = schema.getType(typeName)
  if (start) visit(start, rows)
  return found
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && 'nodes' in value && isEmpty(value.nodes)
}
