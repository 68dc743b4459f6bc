import { setTimeout as sleep } from 'node:timers/promises'
import type { Plugin } from '@envelop/core'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../core/access.ts'
import { Fault } from '../core/errors.ts'
import { authenticate, type KeyParts, keyHashOf } from './authentication.ts'
import { type Limiter, requestsPerWindow, type Taken, windowSeconds } from './limiter.ts'
import type { RequestState, WithRequestState } from './request-state.ts'

const policy = `"default";q=${requestsPerWindow};w=${windowSeconds}`
const limit = String(requestsPerWindow)

/**
 * Adds the contract's rate headers. Each is a structured field, of integers alone.
 * @see draft-ietf-httpapi-ratelimit-headers
 */
function addRateHeaders(
  headers: Record<string, string>,
  remaining: number,
  msBeforeReset: number,
): void {
  const seconds = Math.ceil(msBeforeReset / 1000)
  headers.RateLimit = `"default";r=${remaining};t=${seconds}`
  headers['RateLimit-Policy'] = policy
  headers['X-RateLimit-Limit'] = limit
  headers['X-RateLimit-Remaining'] = String(remaining)
  headers['X-RateLimit-Reset'] = String(Math.ceil((Date.now() + msBeforeReset) / 1000))
}

/** The refusal of a request over the rate. Adds the rate headers to `headers`. */
function refusalOf(msBeforeReset: number, headers: Record<string, string>): Fault {
  addRateHeaders(headers, 0, msBeforeReset)
  const seconds = Math.max(1, Math.ceil(msBeforeReset / 1000))
  return new Fault('rate_limited', `Over ${requestsPerWindow} requests in ${windowSeconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/** A bucket that is empty. */
interface Refusal {
  readonly fault: Fault
  readonly msBeforeReset: number
}

/**
 * Takes one request, or what a request costs beyond it, from a bucket and adds the rate headers to `headers`. Without an
 * answer of the limiter the request passes, without rate headers.
 * @returns the refusal when the bucket has less; at once where the limiter answers at once
 */
export function takeRequest(
  limiter: Limiter,
  bucket: string,
  headers: Record<string, string>,
  cost = 1,
): Refusal | undefined | Promise<Refusal | undefined> {
  const judge = ({ isOver, remaining, msBeforeReset }: Taken): Refusal | undefined => {
    if (isOver) return { fault: refusalOf(msBeforeReset, headers), msBeforeReset }
    addRateHeaders(headers, remaining, msBeforeReset)
    return undefined
  }
  const taken = limiter(bucket, cost)
  return taken instanceof Promise ? taken.then(judge, () => undefined) : judge(taken)
}

/**
 * Takes what a request costs beyond 1 from the bucket of its key. A refused cost is given back.
 * @throws {Fault} `rate_limited`
 */
export async function takeCost(
  limiter: Limiter,
  { rateBucket, headers }: RequestState,
  cost: number,
): Promise<void> {
  if (rateBucket === undefined) return
  const refused = await takeRequest(limiter, rateBucket, headers, cost)
  if (!refused) return
  const { remaining } = await limiter(rateBucket, -cost)
  addRateHeaders(headers, remaining, refused.msBeforeReset)
  throw refused.fault
}

export interface RateLimitParts extends KeyParts {
  readonly limiter: Limiter
}

/** Until when the rate of a key is used up, by the hash of the key. Kept for the rest of a window. */
const usedUp = new LRUCache<string, number>({ max: 10_000 })

/** Refuses a request by what an earlier one has learnt: it costs no look-up of the key. */
function refuseUsedUp(state: RequestState): void {
  const hash = keyHashOf(state)
  const until = hash instanceof Fault ? undefined : usedUp.get(hash)
  if (until === undefined || until <= Date.now()) return
  throw refusalOf(until - Date.now(), state.headers)
}

/** Time between two answers to requests without a valid key from an address that is over its rate. */
const refusalEveryMs = 10
const mostWaitMs = 5000

/** When the next request without a valid key from an address over its rate may be answered. */
const nextRefusal = new LRUCache<string, number>({ max: 10_000 })

/** Spaces the answers to guessed keys, so that many connections that guess leave the time to other clients. */
async function waitForRefusal(address: string): Promise<void> {
  const now = Date.now()
  const next = Math.min(Math.max(now, nextRefusal.get(address) ?? 0), now + mostWaitMs)
  nextRefusal.set(address, next + refusalEveryMs)
  if (next > now) await sleep(next - now)
}

async function count(parts: RateLimitParts, state: RequestState): Promise<void> {
  const { limiter } = parts
  const { address, headers } = state
  refuseUsedUp(state)
  await authenticate(parts, state).catch((error: unknown) => {
    // Authentication refuses the request; an engine that is down is not the client's doing.
    if (!(error instanceof Fault)) throw error
  })
  const { rateBucket } = state
  const hash = keyHashOf(state)
  // A key that its plan does not have counts too.
  if (rateBucket !== undefined && !(hash instanceof Fault)) {
    return countKey(limiter, { hash, rateBucket }, headers)
  }
  if (await takeRequest(limiter, `address:${address}`, headers)) await waitForRefusal(address)
}

/**
 * Counts a request of a valid key, at once where the limiter answers at once. Adds the rate headers to `headers`.
 * @throws {Fault} `rate_limited`
 */
function countKey(
  limiter: Limiter,
  { hash, rateBucket }: { readonly hash: string; readonly rateBucket: string },
  headers: Record<string, string>,
): undefined | Promise<undefined> {
  const pass = (refused: Refusal | undefined): undefined => {
    if (!refused) return
    usedUp.set(hash, Date.now() + refused.msBeforeReset)
    throw refused.fault
  }
  const refused = takeRequest(limiter, rateBucket, headers)
  return refused instanceof Promise ? refused.then(pass) : pass(refused)
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

/**
 * Counts a request and checks its key, each once a request.
 * @throws {Fault} `rate_limited`, `unauthorized`, `plan_upgrade_required`
 */
export async function admit(parts: RateLimitParts, state: RequestState): Promise<Principal> {
  await countRequest(parts, state)
  return authenticate(parts, state)
}

/**
 * Checks the key of a request, and counts it and what it asks by a budget that the key has for one purpose.
 * @throws {Fault} as `admit`
 */
export async function admitApart(
  parts: RateLimitParts,
  state: RequestState,
  purpose: string,
): Promise<void> {
  try {
    await authenticate(parts, state)
  } catch (error) {
    // A guessed key counts by address, and waits.
    if (error instanceof Fault) await countRequest(parts, state)
    throw error
  }
  state.rateBucket = `${purpose}:${state.rateBucket}`
  state.keyHash = `${purpose}:${keyHashOf(state)}`
  await countRequest(parts, state)
}

/** The rate limit of both doors. Register before authentication, which ends a request without a key. */
export function useRateLimit(parts: RateLimitParts): Plugin<WithRequestState> {
  return {
    onContextBuilding: ({ context }) => countRequest(parts, context.requestState),
  }
}
