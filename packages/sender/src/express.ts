import { type NodeRequest, type NodeResponse, watch } from './node.ts'
import type { Sender } from './sender.ts'

interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string
  readonly protocol: string
  readonly ip?: string | undefined
}

/**
 * Middleware of Express 4 and 5. Use it first, to see the answers of all others. Behind a proxy set `trust proxy`: the
 * address of the client is `request.ip`.
 */
export function sightline(
  sender: Sender,
): (request: ExpressRequest, response: NodeResponse, next: () => void) => void {
  return (request, response, next) => {
    const { originalUrl: url, protocol, ip: address } = request
    watch(sender, request, response, { url, protocol, address })
    next()
  }
}
