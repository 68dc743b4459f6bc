import type { Plugin } from '@envelop/core'
import { type ExecutionArgs, getOperationAST, OperationTypeNode } from 'graphql'
import type { Principal } from '../core/access.ts'
import { asWriter } from '../prisma/client.ts'

/**
 * Counts the writes of a mutation for the workspace of its key: writes of one workspace that wait leave connections for
 * the others. Register last: it holds for all that the mutation runs.
 */
export function useWriter(): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((asked: ExecutionArgs) => {
        const { document, operationName, contextValue } = asked
        const operation = getOperationAST(document, operationName)?.operation
        if (operation !== OperationTypeNode.MUTATION) return executeFn(asked)
        const { workspaceId } = (contextValue as { readonly principal: Principal }).principal
        return asWriter(workspaceId, () => executeFn(asked))
      })
    },
  }
}
