import type { Principal } from '../core/access.ts'

/** What the server knows of a request before any plugin runs, and what the plugins add to its answer. */
export interface Visit {
  readonly requestId: string
  /** The `Authorization` header as it came. */
  readonly authorization: string | undefined
  /** Where the request comes from, for the rate of those without a key. */
  readonly address: string
  /** The values of `Idempotency-Key` and `If-Match`, each as often as it was sent. */
  readonly idempotencyKeys: readonly string[]
  readonly ifMatch: readonly string[]
  /** Headers of the answer, at either door and whatever becomes of the request. */
  readonly headers: Record<string, string>
  /** Set once: authentication and rate count once a request, however often they are asked for. */
  admission?: Promise<Principal>
}

/** Both doors put the visit into the server context under this name. */
export interface VisitContext {
  readonly visit: Visit
}

export function beginVisit(request: Omit<Visit, 'headers' | 'admission'>): Visit {
  return { ...request, headers: { 'X-Request-Id': request.requestId } }
}
