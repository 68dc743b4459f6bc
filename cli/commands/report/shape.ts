import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql'

/** A field of a report, with the fields below it. */
export interface ShapedField {
  readonly name: string
  readonly kind: 'value' | 'object' | 'list'
  /** Empty for a value. */
  readonly fields: Shape
}
/** The fields of a report or of its rows, in the order of the schema. */
export type Shape = readonly ShapedField[]

/** A list of objects in a report. */
export interface ReportList {
  /** Such as `trend` or `summary.rows`. */
  readonly path: string
  /** Paths in a row, such as `metrics.usage`. */
  readonly columns: readonly string[]
}

/** Whether a field of `parent` belongs to the shape. `depth` counts the objects and lists above it. */
export type Chooser = (
  field: GraphQLField<unknown, unknown>,
  depth: number,
  parent: GraphQLObjectType | GraphQLInterfaceType,
) => boolean

const isList = (type: GraphQLOutputType) => isListType(getNullableType(type))

export function shapeOf(type: GraphQLNamedType, choose: Chooser, depth = 0): Shape {
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap((field): ShapedField[] => {
    if (!choose(field, depth, type)) return []
    const { name } = field
    const named = getNamedType(field.type)
    if (!isCompositeType(named)) return [{ name, kind: 'value', fields: [] }]
    const fields = shapeOf(named, choose, depth + 1)
    if (fields.length === 0) return []
    return [{ name, kind: isList(field.type) ? 'list' : 'object', fields }]
  })
}

/** The lists that are not within rows of other lists. */
export function listsOf(shape: Shape, prefix = ''): ReportList[] {
  return shape.flatMap(({ name, kind, fields }): ReportList[] => {
    if (kind === 'value') return []
    const path = `${prefix}${name}`
    return kind === 'list' ? [{ path, columns: columnsOf(fields) }] : listsOf(fields, `${path}.`)
  })
}

/** The paths of the values. A list within a row is one column. */
export function columnsOf(shape: Shape, prefix = ''): string[] {
  return shape.flatMap(({ name, kind, fields }) => {
    const path = `${prefix}${name}`
    return kind === 'object' ? columnsOf(fields, `${path}.`) : [path]
  })
}

/** The value at a path such as `metrics.usage`; undefined where an object above it is null. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) found = (found as Record<string, unknown> | null)?.[name]
  return found
}
