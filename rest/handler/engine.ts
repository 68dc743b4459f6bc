import { envelop, type Plugin, useEngine, useSchema } from '@envelop/core'
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  subscribe,
  validate,
} from 'graphql'
import { authorize } from '../../schema/kit/authorize.ts'
import type { Context, Passed, Services } from '../../schema/kit/context.ts'
import type { RestState } from './reply.ts'

interface Admitted {
  readonly state: RestState
  readonly principal: Context['principal']
  readonly services: Services
  readonly passed?: Passed
}

/** The context of a request whose key and rate are checked. */
export function contextOf({ state, principal, services, passed }: Admitted): Context {
  const { requestId, ifMatch } = state
  const request = { requestState: state, requestId, ifMatch }
  return { ...request, principal, services, authorize, ...(passed && { passed }) }
}

/** Runs an operation of the schema through the plugins. */
export type Execute = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: Context,
) => Promise<ExecutionResult>

/** The Envelop of REST: the plugins of both doors that wrap an execution, around a schema of its own. */
export function createEngine(schema: GraphQLSchema, plugins: readonly Plugin[]): Execute {
  const getEnveloped = envelop({
    plugins: [useEngine({ parse, validate, execute, subscribe }), useSchema(schema), ...plugins],
  })
  return async (document, variableValues, contextValue) =>
    getEnveloped(contextValue).execute({ schema, document, contextValue, variableValues })
}
