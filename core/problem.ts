import { catalog, type ErrorCode, type Fault, type FaultExtras } from './errors.ts'

/** The body of every REST error (RFC 9457). */
export interface ProblemBody extends FaultExtras {
  type: string
  title: string
  status: number
  code: ErrorCode
  error: string
  message: string
  howToFix?: string
  requestId: string
  retryable?: boolean
}

/** Renders a fault as a problem. `baseUrl` is where this service is reached, without a slash at the end. */
export function problemBody(
  fault: Fault,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
): ProblemBody {
  const entry = catalog[fault.code]
  return {
    type: `${baseUrl}/docs/errors#${fault.code}`,
    title: entry.title,
    status: fault.status,
    code: fault.code,
    error: fault.message,
    message: fault.message,
    ...('howToFix' in entry ? { howToFix: entry.howToFix } : {}),
    requestId,
    ...(fault.retryable ? { retryable: true } : {}),
    ...fault.extras,
  }
}

/**
 * Where a GraphQL mutation shows each code of the catalog. A caller can act on data: it is a type of the mutation's
 * answer. The rest stays in `errors`: a key that is not valid, the request as such, and failures of ours. So does
 * `rate_limited` for a request that no mutation of it has run.
 */
const places = {
  unauthorized: 'errors',
  forbidden: 'Forbidden',
  missing_scope: 'Forbidden',
  plan_upgrade_required: 'Forbidden',
  not_found: 'NotFound',
  method_not_allowed: 'errors',
  payload_too_large: 'errors',
  unsupported_media_type: 'errors',
  invalid_argument: 'InvalidInput',
  invalid_country: 'InvalidInput',
  no_domain: 'Conflict',
  no_workspace: 'Conflict',
  no_pages: 'Conflict',
  bulk_limit_exceeded: 'QuotaExceeded',
  quota_exceeded: 'QuotaExceeded',
  project_not_runnable: 'Conflict',
  pitch_not_supported: 'Conflict',
  rate_limited: 'Conflict',
  idempotency_in_flight: 'Conflict',
  idempotency_conflict: 'Conflict',
  stale_revision: 'StaleRevision',
  INACTIVE_PITCH_PROMPT_MUTATION: 'Conflict',
  query_timeout: 'errors',
  query_too_large: 'errors',
  gsc_not_connected: 'Conflict',
  gsc_site_not_linked: 'Conflict',
  gsc_access_denied: 'Conflict',
  ga4_not_connected: 'Conflict',
  traffic_not_connected: 'Conflict',
  internal_error: 'errors',
  unknown_document: 'errors',
  document_not_listed: 'errors',
  too_many_streams: 'errors',
  query_too_costly: 'errors',
  change_not_approved: 'Conflict',
  change_over: 'Conflict',
  change_stale: 'Conflict',
} as const satisfies Record<ErrorCode, string>

type Places = typeof places

export type ProblemType = Exclude<Places[ErrorCode], 'errors'>

/** A code that a mutation answers with as data. */
export type ProblemCode = {
  [Code in ErrorCode]: Places[Code] extends 'errors' ? never : Code
}[ErrorCode]

/** The type that shows a code in the answer of a mutation; undefined for a code that stays in `errors`. */
export function problemTypeOf(code: ErrorCode): ProblemType | undefined {
  const place = places[code]
  return place === 'errors' ? undefined : place
}

/** What to do, where the text of the catalog names members of the problem of REST. */
const graphFixes: Partial<Record<ErrorCode, string>> = {
  invalid_argument: 'Correct the values that `fields` names.',
  missing_scope: 'Use a key that has `missingScope` or `missingCapability`.',
  bulk_limit_exceeded:
    'Send at most `limit` pages in one request. Without `pageIds`, `maxPages` chooses the pages of most reach.',
  rate_limited: 'Wait for the seconds of `retryAfter`, then retry.',
  idempotency_in_flight: 'Wait for the seconds of `retryAfter`, then retry.',
  quota_exceeded:
    'Stay within `limit`: free some of the quota, wait until it resets, or move to a larger plan.',
}

/** What a caller of the graph can do about a fault; null where the code alone cannot say. */
export function graphFix({ code, extras }: Fault): string | null {
  const entry = catalog[code]
  return extras.howToFix ?? graphFixes[code] ?? ('howToFix' in entry ? entry.howToFix : null)
}

export const problemCodes = Object.entries(places).flatMap(([code, place]) =>
  place === 'errors' ? [] : [code as ProblemCode],
)
