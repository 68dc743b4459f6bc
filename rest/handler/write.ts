import type { IncomingMessage } from 'node:http'
import { check } from '../../core/check.ts'
import { withIfMatch } from '../../core/write-headers.ts'
import type { Context } from '../../schema/kit/context.ts'
import { readBody } from './body.ts'
import type { Execute } from './engine.ts'
import type { Operation } from './operation.ts'
import type { Reply, RestState } from './reply.ts'
import { run } from './run.ts'

/** A write whose key, rate and target are checked. */
export interface WriteRequest {
  readonly request: IncomingMessage
  readonly operation: Operation
  readonly url: URL
  readonly path: Readonly<Record<string, string | undefined>>
  readonly state: RestState
}

/**
 * Answers a write. Its arguments come from the path and the body; query parameters are ignored.
 * @throws {Fault} of the body, the headers and the write
 */
export async function answerWrite(
  execute: Execute,
  context: Context,
  { request, operation, url, path, state }: WriteRequest,
): Promise<Reply> {
  const { 'if-match': ifMatch = [] } = request.headersDistinct
  const body = await readBody(request)
  const given = operation.isConditional ? withIfMatch(body, ifMatch) : body
  const variables = { ...check(operation.body, given), ...path }
  // The same place however its ids are written.
  state.fingerprintOf = [operation.route.operationId, url.pathname.toLowerCase(), body]
  const answer = await run(execute, operation, variables, context)
  return {
    status: operation.route.status ?? 200,
    contentType: 'application/json',
    body: JSON.stringify(answer),
  }
}
