import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'

export type View = 'rest' | 'graph'

/** The schema as one door sees it: without the other's fields and arguments, and without types that only they reach. */
export function viewOf(schema: GraphQLSchema, view: View): GraphQLSchema {
  const other: View = view === 'rest' ? 'graph' : 'rest'
  const filtered = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => {
      if (field.extensions?.view === other) return null
      const args = Object.entries(field.args ?? {}).filter(
        ([, arg]) => arg.extensions?.view !== other,
      )
      return { ...field, args: Object.fromEntries(args) }
    },
  })
  return pruneSchema(filtered)
}
