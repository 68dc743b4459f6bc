import type { Plugin } from '@envelop/core'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { inSpan } from '../observability/spans.ts'
import type { WithRequestState } from './request-state.ts'

/** The execution of an operation as a span. */
export function useSpans(): Plugin<WithRequestState> {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      const execute = executeFn as (args: ExecutionArgs) => Promise<ExecutionResult>
      setExecuteFn((args: ExecutionArgs) =>
        inSpan('graphql.execute', {}, async () => execute(args)),
      )
    },
  }
}
