import type { DocumentNode, ExecutionArgs, GraphQLSchema } from 'graphql'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { Fault } from '../core/errors.ts'

/** How the schema words what GraphQL refuses before a resolver runs. */
export interface ArgumentFaults {
  /** The faults of a document at its arguments, one for each error; undefined for what is about no argument. */
  documentFaults(
    schema: GraphQLSchema,
    document: DocumentNode,
    errors: readonly GraphQLError[],
  ): readonly (Fault | undefined)[]
  /** The error of the variables that do not fit their types. */
  variableError(asked: ExecutionArgs): GraphQLError | undefined
}

/**
 * Names the argument of each wrong literal and each wrong variable, before any engine runs. The engines name no
 * argument, and each has its own words.
 */
export function useArgumentFaults({ documentFaults, variableError }: ArgumentFaults): Plugin {
  return {
    onValidate({ params: { schema, documentAST } }) {
      return ({ valid, result, setResult }) => {
        if (valid) return
        const errors = result as readonly GraphQLError[]
        const faults = documentFaults(schema, documentAST, errors)
        setResult(
          errors.map((error, i) => {
            const fault = faults[i]
            if (error.originalError instanceof Fault || !fault) return error
            const { nodes = null } = error
            return new GraphQLError(fault.message, { nodes, originalError: fault })
          }),
        )
      }
    },
    onExecute({ args, setResultAndStopExecution }) {
      const error = variableError(args)
      if (error) setResultAndStopExecution({ errors: [error] })
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const error = variableError(args)
      if (error) setResultAndStopExecution({ errors: [error] })
    },
  }
}
