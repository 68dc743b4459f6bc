import type { IncomingMessage } from 'node:http'
import { check } from '../../core/check.ts'
import { withIfMatch } from '../../core/write-headers.ts'
import { readBody } from './body.ts'
import type { OpenedRequest } from './engine.ts'
import type { Operation } from './operation.ts'
import { run } from './run.ts'

/** A write whose key, rate and target are checked. */
export interface WriteRequest {
  readonly request: IncomingMessage
  readonly operation: Operation
  /** The path of the URL, unchanged. */
  readonly pathname: string
  readonly path: Readonly<Record<string, string | undefined>>
  /** Names the request for its idempotency key. */
  setFingerprint(parts: readonly unknown[]): void
}

/**
 * Answers a write. Its arguments come from the path and the body; query parameters are ignored.
 * @throws {Fault} of the body, the headers and the write
 */
export async function answerWrite(
  opened: OpenedRequest,
  { request, operation, pathname, path, setFingerprint }: WriteRequest,
): Promise<{ status: number; body: string }> {
  const { 'if-match': ifMatch = [] } = request.headersDistinct
  const body = await readBody(request)
  const given = operation.isConditional ? withIfMatch(body, ifMatch) : body
  const variables = { ...check(operation.body, given), ...path }
  // The same place however its ids are written.
  setFingerprint([operation.route.operationId, pathname.toLowerCase(), body])
  const answer = await run(operation, opened, variables)
  return { status: operation.route.status ?? 200, body: JSON.stringify(answer) }
}
