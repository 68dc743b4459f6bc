import type { IncomingMessage } from 'node:http'
import { check } from '../../core/check.ts'
import { fingerprintOf } from '../../core/json.ts'
import { readIdempotencyKey, withIfMatch } from '../../core/write-headers.ts'
import { readBody } from './body.ts'
import type { Operation } from './operation.ts'
import { type Execute, run } from './run.ts'

interface Answer {
  readonly status: number
  readonly body: string
}

/** How a write is done, at once or under a key. */
export interface WriteParts {
  readonly execute: Execute
  /** Does a write once, however often it is asked for with the same key. */
  once(
    write: { readonly idempotencyKey: string; readonly fingerprint: string },
    work: (execute: Execute) => Promise<Answer>,
  ): Promise<Answer>
}

/** A request that was matched and admitted. */
export interface WriteRequest {
  readonly request: IncomingMessage
  readonly operation: Operation
  /** As the URL has it. */
  readonly pathname: string
  readonly path: Readonly<Record<string, string | undefined>>
}

/**
 * Answers a request that changes something. Its arguments are those of the path and what the field knows of
 * the body: query parameters are none.
 * @throws {Fault} of the body, the headers and the write
 */
export async function answerWrite(parts: WriteParts, asked: WriteRequest): Promise<Answer> {
  const { request, operation, pathname, path } = asked
  const { 'if-match': ifMatch = [], 'idempotency-key': keys = [] } = request.headersDistinct
  const body = await readBody(request)
  const given = operation.isConditional ? withIfMatch(body, ifMatch) : body
  const variables = { ...check(operation.body, given), ...path }
  const idempotencyKey = readIdempotencyKey(keys)
  const work = async (execute: Execute) => ({
    status: operation.route.status ?? 200,
    body: JSON.stringify(await run(operation, execute, variables)),
  })
  if (idempotencyKey === undefined) return work(parts.execute)
  const fingerprint = fingerprintOf([operation.route.operationId, pathname, body])
  return parts.once({ idempotencyKey, fingerprint }, work)
}
