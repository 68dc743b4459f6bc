import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'

/** Random documents over a schema that ask what exists, the same for the same seed. */

/** @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Field = GraphQLField<unknown, unknown>

const deepest = 4
const windows = ['{ days: 7 }', '{ days: 30 }', '{ days: 90 }', '{ days: 365 }']
const pages = [3, 10, 20, 50, 100]
const rowFields = ['nodes', 'edges', 'pageInfo']

const takes = ({ args }: Field, name: string) =>
  args.find((arg: GraphQLArgument) => arg.name === name)

/** Fields of a type with the values that a document may give them. */
export function documentsOf(schema: GraphQLSchema, projectId: string, seed: number) {
  const random = randomOf(seed)
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value
  const some = <Value>(values: readonly Value[], most: number): Value[] =>
    values
      .map((value) => ({ value, at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, 1 + Math.floor(random() * most))
      .map(({ value }) => value)

  function argsOf(field: Field): string {
    const given = [
      ...(takes(field, 'window') && random() < 0.7 ? [`window: ${pick(windows)}`] : []),
      ...(takes(field, 'first') ? [`first: ${pick(pages)}`] : []),
      ...(takes(field, 'compare') && random() < 0.2 ? ['compare: previous_period'] : []),
    ]
    return given.length > 0 ? `(${given.join(', ')})` : ''
  }
  function selectionOf(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type) && !isInterfaceType(type)) return '{ __typename }'
    const fields = Object.values(type.getFields()).filter(
      ({ args, name }) => !args.some(isRequiredArgument) && name !== 'node',
    )
    const [composite, leaves] = [
      fields.filter((field) => isCompositeType(getNamedType(field.type))),
      fields.filter((field) => !isCompositeType(getNamedType(field.type))),
    ]
    const nodes = type.getFields().nodes
    if (nodes) {
      const facts = leaves.length > 0 && random() < 0.3 ? pick(leaves).name : ''
      return `{ ${facts} nodes ${selectionOf(getNamedType(nodes.type), depth)} }`
    }
    const leading = composite.filter(({ name }) => !rowFields.includes(name))
    const further =
      depth < deepest && random() < 1 / depth ? some(leading, depth === 1 ? 4 : 2) : []
    const shown = leaves.length > 0 ? some(leaves, 5) : []
    const parts = [
      ...shown.map(({ name }) => name),
      ...further.map(
        (field) =>
          `${field.name}${argsOf(field)} ${selectionOf(getNamedType(field.type), depth + 1)}`,
      ),
    ]
    return parts.length > 0 ? `{ ${parts.join(' ')} }` : '{ __typename }'
  }
  const project = schema.getType('Project') as GraphQLObjectType
  const plain = (type: GraphQLNamedType): string => {
    if (!isObjectType(type)) return '{ __typename }'
    const { nodes } = type.getFields()
    return nodes ? `{ nodes ${plain(getNamedType(nodes.type))} }` : '{ __typename }'
  }
  /** Each report and list of a project, alone; with `days` as its window where it takes one. */
  const alone = (days: number): (readonly [name: string, text: string])[] =>
    Object.values(project.getFields()).flatMap((field) => {
      const type = getNamedType(field.type)
      if (!isObjectType(type) || field.args.some(isRequiredArgument)) return []
      const window = takes(field, 'window') ? [`window: { days: ${days} }`] : []
      const ask = (more: readonly string[]) => {
        const given = [...window, ...more]
        const args = given.length > 0 ? `(${given.join(', ')})` : ''
        return `{ project(id: "${projectId}") { ${field.name}${args} ${plain(type)} } }`
      }
      const compared = takes(field, 'compare')
        ? [[`${field.name}, compared`, ask(['compare: previous_period'])] as const]
        : []
      return [[field.name, ask([])] as const, ...compared]
    })
  return {
    next: (): string => `{ project(id: "${projectId}") ${selectionOf(project, 1)} }`,
    alone,
  }
}
