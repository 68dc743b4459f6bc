import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils'
import {
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
} from 'graphql'
import { routes } from '../routes.ts'

const served = new Set(routes.map(({ field }) => field))
const roots = new Set(['Query', 'Mutation'])

/** Lists at the root: `projects`, which the contract serves as `listProjects`, and `invitations` of GraphQL alone. */
const isConnection = ({ name }: GraphQLNamedType) => name.endsWith('Connection')

/**
 * The schema as `/api/graph` serves it: the queries and mutations without a path in the contract. A route selects every
 * field of this view. So the view omits nested reports, which take arguments, and lists of a project. It has no
 * interfaces, and no `node`: a route knows the type of its answer.
 */
export function scriptView(schema: GraphQLSchema): GraphQLSchema {
  const filtered = mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) =>
      new GraphQLObjectType({ ...type.toConfig(), interfaces: [] }),
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) => {
      if (roots.has(typeName)) {
        // Over HTTP the idempotency key is a header.
        const { idempotencyKey: _header, ...args } = field.args ?? {}
        const type = getNamedType(field.type)
        const isServed = served.has(name) || isInterfaceType(type) || isConnection(type)
        return isServed ? null : { ...field, args }
      }
      if (Object.keys(field.args ?? {}).length > 0 || name === 'nodeId') return null
      if (isInterfaceType(getNamedType(field.type))) return null
      return typeName === 'Project' && !isLeafType(getNamedType(field.type)) ? null : undefined
    },
  })
  return pruneSchema(filtered)
}
