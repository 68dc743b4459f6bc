import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type BareItem, serializeList } from 'structured-headers'
import { Fault } from '../core/errors.ts'

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
 * Takes one request from a bucket. Puts the rate headers into `headers`; a limiter that does not answer
 * lets the request pass without them.
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
