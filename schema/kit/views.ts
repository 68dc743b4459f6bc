import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'

export type View = 'rest' | 'graph'

/** The schema as one door sees it: without the other's fields and arguments, and without types that only they reach. */
export function viewOf(schema: GraphQLSchema, view: View): GraphQLSchema {
  const other: View = view === 'rest' ? 'graph' : 'rest'
  const filtered = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field, name) => {
      if (field.extensions?.view === other) return null
      const args = Object.entries(field.args ?? {}).filter(
        ([, arg]) => arg.extensions?.view !== other,
      )
      const renamed = (field.extensions?.restName as string | undefined) ?? name
      return [renamed, { ...field, args: Object.fromEntries(args) }]
    },
  })
  return pruneSchema(filtered)
}
