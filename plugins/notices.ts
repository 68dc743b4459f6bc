import type { Plugin } from '@envelop/core'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import type { Notice } from '../core/notices.ts'

interface Noticed {
  notices?: Map<string, Notice>
}

/** Runs an operation, and adds to its result the notices of its fields. */
export async function runNoticed(
  execution: ExecutionArgs,
  execute: (args: ExecutionArgs) => ExecutionResult | PromiseLike<ExecutionResult>,
): Promise<ExecutionResult> {
  const notices = new Map<string, Notice>()
  Object.assign(execution.contextValue as Noticed, { notices })
  const result = await execute(execution)
  if (notices.size === 0) return result
  return { ...result, extensions: { ...result.extensions, notices: [...notices.values()] } }
}

/** Shows what fields of `/graphql` say about their answers. */
export function useNotices(): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((execution: ExecutionArgs) =>
        runNoticed(execution, executeFn as Parameters<typeof runNoticed>[1]),
      )
    },
  }
}
