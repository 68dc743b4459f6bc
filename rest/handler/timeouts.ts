import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'

const bodySilenceMs = 15_000
/** Longer than the minute of most load balancers: a connection that a client is about to use stays open. */
const keepAliveMs = 72_000

/** How long a server waits for a header, for a whole request, and for the next request. */
export const serverTimeouts: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: 1000,
}

/** Ends the connection of a body that stops in the middle: Node.js destroys a socket at its timeout. */
export function endSilentBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  const watch = () => {
    if (!request.complete) socket.setTimeout(bodySilenceMs)
  }
  // By then a request without a body is complete.
  setImmediate(watch)
  request.once('end', () => socket.setTimeout(response.writableFinished ? keepAliveMs : 0))
  // After an answer Node.js sets the timeout of an idle connection, although the body goes on.
  response.once('finish', () => setImmediate(watch))
}
