import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'

const bodySilenceMs = 15_000
/** Longer than the minute of most load balancers: a connection that a client is about to use stays open. */
const keepAliveMs = 72_000

/** How long a server waits for a header, for a whole request, and for the next request. */
export const serverOptions: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: 1000,
  // A request without a host gets a problem too.
  requireHostHeader: false,
  // A request without a body has no stream that begins and ends, which takes a tenth of a remembered reply.
  optimizeEmptyRequests: true,
}

/** @see RFC 9112, section 6.3 */
const hasBody = ({ headers }: IncomingMessage) =>
  'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0'

/** Ends the connection of a body that stops in the middle: Node.js destroys a socket at its timeout. */
export function endSilentBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  const { socket } = request
  const watch = () => {
    if (!request.complete) socket.setTimeout(bodySilenceMs)
  }
  // By then a short body is complete.
  setImmediate(watch)
  request.once('end', () => socket.setTimeout(response.writableFinished ? keepAliveMs : 0))
  // After an answer Node.js sets the timeout of an idle connection, although the body goes on.
  response.once('finish', () => setImmediate(watch))
}

/** Time for a client to take an answer whose rows hold memory. */
const takenWithinMs = 120_000

/** Ends the connection of a client that does not take its answer. An answer without end, of live events, stays. */
export function endSlowReader(response: ServerResponse, withinMs: number = takenWithinMs): void {
  response.once('prefinish', () => {
    const late = setTimeout(() => response.destroy(), withinMs)
    response.once('close', () => clearTimeout(late))
  })
}
