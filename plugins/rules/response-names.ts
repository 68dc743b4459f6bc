import type { Plugin } from '@envelop/core'
import { type FieldNode, GraphQLError, type ValidationContext } from 'graphql'

/**
 * Refuses `then` as the name of a field in a response. Executors and clients take an object with `then` for a promise.
 */
export function useResponseNames(): Plugin {
  const rule = (context: ValidationContext) => ({
    Field(field: FieldNode) {
      if ((field.alias ?? field.name).value !== 'then') return
      const message = 'The name `then` is that of promises. Choose another alias.'
      context.reportError(new GraphQLError(message, { nodes: [field] }))
    },
  })
  return { onValidate: ({ addValidationRule }) => addValidationRule(rule) }
}
