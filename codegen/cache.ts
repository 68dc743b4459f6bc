import { type GraphQLSchema, isAbstractType, isObjectType } from 'graphql'

/**
 * What normalised caches of clients need to know of the schema: `nodes`, the types with a `nodeId`; `embedded`, the types
 * that are parts of others; and `possibleTypes`, the types of each interface and union.
 */
export function cacheRules(schema: GraphQLSchema) {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  const objects = types.filter(isObjectType).filter((type) => !roots.includes(type))
  const isNode = (type: (typeof objects)[number]) =>
    type.getInterfaces().some(({ name }) => name === 'Node')
  const namesOf = (found: typeof objects) => found.map(({ name }) => name).toSorted()
  return {
    nodes: namesOf(objects.filter(isNode)),
    embedded: namesOf(objects.filter((type) => !isNode(type))),
    possibleTypes: Object.fromEntries(
      types
        .filter(isAbstractType)
        .map((type) => [type.name, namesOf([...schema.getPossibleTypes(type)])] as const)
        .toSorted(([one], [other]) => one.localeCompare(other, 'en')),
    ),
  }
}
