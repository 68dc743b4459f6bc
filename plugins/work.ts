import type { Plugin } from '@envelop/core'
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql'
import type { Principal } from '../core/access.ts'
import { RequestWork } from '../core/load/work.ts'
import type { WithRequestState } from './request-state.ts'

export interface WorkParts {
  /** Bytes that one request may make in memory. */
  readonly maxWorkBytes: number
  /** Waits for a turn of the event loop, of a key. */
  readonly turn: (keyId: string) => Promise<void>
}

export interface WithPrincipal {
  readonly principal: Principal
}

interface Worked extends WithRequestState, WithPrincipal {
  work?: RequestWork
}

type Execute = (args: ExecutionArgs) => ExecutionResult | PromiseLike<ExecutionResult>

/** Runs an operation within the bounds of one request. Over them it ends, and what is left of it is dropped. */
export async function runBounded(
  { maxWorkBytes, turn }: WorkParts,
  execution: ExecutionArgs,
  execute: Execute,
): Promise<ExecutionResult> {
  const context = execution.contextValue as Worked
  const { requestState, principal } = context
  const ofKey = () => turn(principal.keyId)
  const work = new RequestWork({ most: maxWorkBytes, hold: requestState.hold, turn: ofKey })
  context.work = work
  try {
    const result = await Promise.race([execute(execution), work.over])
    // The text of a large answer takes its time too.
    if (work.isLarge) await ofKey()
    return result
  } catch (error) {
    if (!work.isOver || !(error instanceof Error)) throw error
    return { errors: [new GraphQLError(error.message, { originalError: error })] }
  }
}

/** Bounds what an operation makes in memory. Register it before what wraps an execution. */
export function useWork(parts: WorkParts): Plugin<WithRequestState> {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((execution: ExecutionArgs) => runBounded(parts, execution, executeFn as Execute))
    },
  }
}
