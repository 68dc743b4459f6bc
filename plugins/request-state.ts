import type { Principal } from '../core/access.ts'
import type { Fault } from '../core/errors.ts'

/** One HTTP request: the headers that the plugins read, and the headers that they add to the response. */
export interface RequestState {
  readonly requestId: string
  /** The `Authorization` header, unchanged. */
  readonly authorization: string | undefined
  /** The token of the session of the page that sent the request. */
  readonly session?: string | undefined
  /** The client's address. Requests without a valid key are counted by address. */
  readonly address: string
  /** Every value of the `Idempotency-Key` header. */
  readonly idempotencyKeys: readonly string[]
  /** Every value of the `If-Match` header. */
  readonly ifMatch: readonly string[]
  /** Headers of the response, set on success and on failure alike. */
  readonly headers: Record<string, string>
  /** Waits for the memory that large rows need. */
  readonly hold?: (bytes: number) => Promise<void>
  /** The body, where it was read before the request reached its plugins. It fails as a reading by them would. */
  body?: Promise<Buffer>
  /** The name of the operation in metrics, set when it is known. Its values are bounded. */
  operation?: string
  /** Whether the answer is a stream of live events. */
  isStream?: boolean
  /** REST sets operation, path and body here: the fingerprint of a write with an idempotency key. */
  fingerprintOf?: readonly unknown[]
  /** The hash of the key, or why there is none. Made once a request. */
  keyHash?: string | Fault
  /** The check of the key, started once a request. */
  authentication?: Promise<Principal>
  /** The end of the key's life, known after its check; null for a key without one. */
  expiresAt?: Date | null
  /** The bucket of the key's rate, known after its check. A key shares the rate of the key that it replaces. */
  rateBucket?: string
  /** The count against the rate limit, taken once a request. */
  rateCount?: Promise<void>
}

/** Both doors put the state into the initial context under this name. */
export interface WithRequestState {
  readonly requestState: RequestState
}

export function createRequestState(
  request: Omit<
    RequestState,
    | 'headers'
    | 'body'
    | 'fingerprintOf'
    | 'keyHash'
    | 'authentication'
    | 'expiresAt'
    | 'rateBucket'
    | 'rateCount'
  >,
): RequestState {
  return { ...request, headers: { 'X-Request-Id': request.requestId } }
}
