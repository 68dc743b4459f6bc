import {
  addressOfClient,
  countryOfClient,
  type ReadHeader,
  signatureOfClient,
  urlOfClient,
} from './client.ts'
import type { Sender } from './sender.ts'

/** A request of `node:http`, and what frameworks add to it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** A response of `node:http`. */
export interface NodeResponse {
  readonly statusCode: number
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
}

/** What a framework knows better than the request. */
export interface Known {
  readonly url?: string | undefined
  readonly protocol?: string | undefined
  readonly address?: string | undefined
}

function readerOf(headers: NodeRequest['headers']): ReadHeader {
  return (name) => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }
}

/**
 * Sends a request of `node:http` as soon as its response is closed. Call it first in the listener. Never throws.
 */
export function watch(
  sender: Sender,
  request: NodeRequest,
  response: NodeResponse,
  known: Known = {},
): void {
  const began = performance.now()
  // Frameworks change `url` on the way.
  const url = known.url ?? request.url ?? '/'
  const read = readerOf(request.headers)
  response.once('close', () => {
    sender.send({
      method: request.method ?? 'GET',
      url: urlOfClient(read, url, known.protocol),
      // 499, as in nginx: the client left before the end of the answer.
      status: response.writableFinished ? response.statusCode : 499,
      durationMs: performance.now() - began,
      userAgent: read('user-agent'),
      address: known.address ?? addressOfClient(read) ?? request.socket.remoteAddress,
      referrer: read('referer'),
      country: countryOfClient(read),
      signature: signatureOfClient(read),
    })
  })
}
