import type { IncomingMessage, ServerResponse } from 'node:http'
import { headers } from '../openapi/headers.ts'

/** Every documented header of answers of both doors, and the methods of an address: scripts may read no other header unasked. */
const exposed = [...Object.keys(headers), 'Allow', 'X-Query-Cost', 'Deprecation', 'Sunset'].join(
  ', ',
)

const methods = 'GET, HEAD, POST, PATCH'

/** Seconds for which a browser keeps the answer to a preflight: no browser keeps it longer than a day. */
const preflightSeconds = 7200

const documents = new Set(['/graphql', '/mcp', '/openapi.json', '/openapi-graph.json'])

/** Whether scripts of other origins may ever read the answers of a path: those of both doors, and the documents. */
const isShared = (path: string) => documents.has(path) || path.startsWith('/api/')

/**
 * Lets scripts of the origins in `CORS_ORIGINS` read answers. Keys travel in a header, so no cookie is allowed.
 * @param origins `*` stands for every origin; no origin, no header
 * @returns a function that adds the headers of an answer, and answers a preflight itself: then it returns true
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function corsOf(origins: readonly string[]) {
  const isForAll = origins.includes('*')
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    if (origins.length === 0 || !isShared(path)) return false
    const { origin } = request.headers
    // A cache keeps the answers to different origins apart.
    if (!isForAll) response.setHeader('Vary', 'Origin')
    if (origin === undefined || !(isForAll || origins.includes(origin))) return false
    response.setHeader('Access-Control-Allow-Origin', isForAll ? '*' : origin)
    const isPreflight = 'access-control-request-method' in request.headers
    if (request.method !== 'OPTIONS' || !isPreflight) {
      response.setHeader('Access-Control-Expose-Headers', exposed)
      return false
    }
    const asked = request.headers['access-control-request-headers']
    response.appendHeader('Vary', 'Access-Control-Request-Headers')
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Max-Age': preflightSeconds,
      ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    })
    response.end()
    return true
  }
}
