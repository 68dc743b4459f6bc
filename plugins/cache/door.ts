import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../../core/access.ts'
import { admit, type RateLimitParts, takeCost } from '../rate-limit.ts'
import type { RequestState } from '../request-state.ts'
import type { CachedAnswer } from './answers.ts'

export interface CacheDoorParts extends RateLimitParts {
  readonly find: (
    request: IncomingMessage,
    state: RequestState,
    principal: Principal,
  ) => Promise<CachedAnswer | undefined>
  /** Hears what a document was charged. */
  readonly charged?: ((cost: number) => void) | undefined
}

/** Answers a request of `/graphql`. */
export type GraphHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  state: RequestState,
) => Promise<void> | void

/**
 * Answers from memory before Yoga makes anything of a request. Rate, key, projects and cost are checked as for each
 * request; whatever memory lacks or a check refuses is for Yoga, which finds the same.
 */
export function cacheFirst(parts: CacheDoorParts, yoga: GraphHandler): GraphHandler {
  async function known(request: IncomingMessage, state: RequestState) {
    try {
      const found = await parts.find(request, state, await admit(parts, state))
      if (found?.cost === undefined) return found
      const cost = Number(found.cost)
      if (cost > 1) await takeCost(parts.limiter, state, cost - 1)
      parts.charged?.(cost)
      return found
    } catch {
      return undefined
    }
  }
  return async (request, response, state) => {
    const found = await known(request, state)
    if (!found) {
      await yoga(request, response, state)
      return
    }
    if (found.operation !== undefined) state.operation = found.operation
    const headers = {
      ...state.headers,
      ...(found.cost !== undefined && { 'X-Query-Cost': found.cost }),
      'Content-Type': found.contentType,
      'Content-Length': found.body.length,
      'Cache-Control': 'no-store',
    }
    response.writeHead(200, headers).end(found.body)
  }
}
