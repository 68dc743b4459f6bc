import type { Plugin } from '@envelop/core'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type BareItem, serializeList } from 'structured-headers'
import { Fault } from '../core/errors.ts'
import type { Catalog } from '../prisma/client.ts'
import { authenticate } from './authentication.ts'
import type { RequestState, WithRequestState } from './request-state.ts'

export const requestsPerWindow = 600
export const windowSeconds = 60

/** The default limiter: counters in this process. */
export function memoryLimiter(): RateLimiterAbstract {
  return new RateLimiterMemory({ points: requestsPerWindow, duration: windowSeconds })
}

function policyItem(params: Record<string, number>): string {
  return serializeList([['default', new Map<string, BareItem>(Object.entries(params))]])
}

const policy = policyItem({ q: requestsPerWindow, w: windowSeconds })

/**
 * The contract's rate headers.
 * @see draft-ietf-httpapi-ratelimit-headers
 */
function rateHeaders(remaining: number, msBeforeReset: number): Record<string, string> {
  const seconds = Math.ceil(msBeforeReset / 1000)
  return {
    RateLimit: policyItem({ r: remaining, t: seconds }),
    'RateLimit-Policy': policy,
    'X-RateLimit-Limit': String(requestsPerWindow),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeReset) / 1000)),
  }
}

/**
 * Takes one request from a bucket and adds the rate headers to `headers`. Without an answer of the limiter
 * the request passes, without rate headers.
 * @returns the fault when the bucket is empty
 */
export async function takeRequest(
  limiter: RateLimiterAbstract,
  bucket: string,
  headers: Record<string, string>,
): Promise<Fault | undefined> {
  try {
    const taken = await limiter.consume(bucket)
    Object.assign(headers, rateHeaders(taken.remainingPoints, taken.msBeforeNext))
    return undefined
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) return undefined
    Object.assign(headers, rateHeaders(0, refusal.msBeforeNext))
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
    return new Fault('rate_limited', `Over ${requestsPerWindow} requests in ${windowSeconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

export interface RateLimitParts {
  readonly db: Catalog
  readonly limiter: RateLimiterAbstract
}

async function count({ db, limiter }: RateLimitParts, state: RequestState): Promise<void> {
  const { address, headers } = state
  const key = await authenticate(db, state).catch((error: unknown) => {
    // Authentication refuses the request; an engine that is down is not the client's doing.
    if (error instanceof Fault) return undefined
    throw error
  })
  const refused = await takeRequest(
    limiter,
    key ? `key:${key.keyId}` : `address:${address}`,
    headers,
  )
  if (key && refused) throw refused
}

/**
 * Counts a request once: by key, or by address without a valid key. The response carries the rate headers
 * in either case.
 * @throws {Fault} `rate_limited`
 */
export function countRequest(parts: RateLimitParts, state: RequestState): Promise<void> {
  state.rateCount ??= count(parts, state)
  return state.rateCount
}

/** The rate limit of both doors. Register before authentication, which ends a request without a key. */
export function useRateLimit(parts: RateLimitParts): Plugin<WithRequestState> {
  return {
    onContextBuilding: ({ context }) => countRequest(parts, context.requestState),
  }
}
