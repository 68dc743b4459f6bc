import type { Plugin } from '@envelop/core'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Operation } from './operation.ts'

/** Removes the keys of an answer that the contract leaves out rather than writes as null. */
export function useOmitNulls(): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { route, omitNulls } = (args.contextValue as { operation: Operation }).operation
      setExecuteFn(async (execution: ExecutionArgs) => {
        const result: ExecutionResult = await executeFn(execution)
        const answer = result.data?.[route.field]
        if (answer && !result.errors) omitNulls(answer, execution.variableValues ?? {})
        return result
      })
    },
  }
}
