import { envelop, type Plugin, useEngine, useSchema } from '@envelop/core'
import {
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  subscribe,
  validate,
} from 'graphql'
import type { Context } from '../../schema/kit/context.ts'
import type { Operation } from './operation.ts'

/** What the plugins are given before they build the context. */
export type InitialContext = Readonly<Record<string, unknown>>

/** A request whose key, rate and target are checked. */
export interface OpenedRequest {
  readonly context: Context
  /** Runs an operation of the schema through the plugins. */
  execute(
    document: Operation['document'],
    variables: Record<string, unknown>,
  ): Promise<ExecutionResult>
}

/**
 * The Envelop of REST: the plugins of both doors around a schema of its own.
 * @returns opens a request: builds its context, or throws what a plugin refuses with
 */
export function createEngine(schema: GraphQLSchema, plugins: readonly Plugin[]) {
  const getEnveloped = envelop({
    plugins: [useEngine({ parse, validate, execute, subscribe }), useSchema(schema), ...plugins],
  })
  return async (initial: InitialContext): Promise<OpenedRequest> => {
    const enveloped = getEnveloped(initial)
    // Envelop knows the context only as what each plugin says that it adds.
    const contextValue = (await enveloped.contextFactory()) as unknown as Context
    return {
      context: contextValue,
      execute: async (document, variableValues) =>
        enveloped.execute({ schema, document, contextValue, variableValues }),
    }
  }
}
