import { graphProblems } from './data/graph-problems.ts'
import { fieldSentence, withGot } from './rule-text.ts'

/** The catalog of errors. REST renders an entry as a problem (RFC 9457), GraphQL as `extensions`. */

interface CatalogEntry {
  readonly status: number
  readonly title: string
  readonly when: string
  readonly howToFix?: string
  readonly retryable?: true
}

export const catalog = {
  unauthorized: {
    status: 401,
    title: 'The API key is missing or not valid',
    when: 'The key is missing, malformed, unknown, revoked or expired.',
    howToFix: 'Send `Authorization: Bearer sgl_…` with a key made by `sightline key create`.',
  },
  forbidden: {
    status: 403,
    title: 'The key has no access to this resource',
    when: "The key's user is not a member of the workspace. Or the role of the user there does not allow this. Or the project is inactive. Or the key to rotate is another user's.",
    howToFix:
      'Use a key of a member of the workspace, whose role allows this. Or activate the project, or revoke the key.',
  },
  missing_scope: {
    status: 403,
    title: 'The key lacks a scope or capability',
    when: 'The key does not have the scope or capability that the operation needs.',
    howToFix: 'Create a key with the scope or capability that `message` names.',
  },
  plan_upgrade_required: {
    status: 403,
    title: 'The plan does not include this feature',
    when: "The feature is not in the workspace's plan. Or the plan of the key's workspace has no API keys.",
    howToFix: 'Move the workspace to a plan that includes the feature, or API keys.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    when: 'The resource does not exist, or the key cannot reach it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    when: 'The path does not accept this method. The `Allow` header lists the methods that it accepts.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    when: 'The request body is larger than the endpoint accepts.',
    howToFix: 'Split the data into several requests.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The endpoint does not accept the content type of the request body.',
    howToFix: 'Send `Content-Type: application/json`.',
  },
  invalid_argument: {
    status: 400,
    title: 'An argument is not valid',
    when: 'A query, path or body value is out of range, malformed or unknown, or two values exclude each other. `details` names the field. A request that is not valid HTTP has this code too, with status 400, 408, 417 or 431.',
    howToFix: 'Correct the field that `details` names.',
  },
  invalid_country: {
    status: 400,
    title: 'Unknown country',
    when: 'A country filter is neither an ISO 3166-1 code nor a country name.',
    howToFix: 'Send ISO 3166-1 codes, such as `DE`, or English country names.',
  },
  no_domain: {
    status: 400,
    title: 'The project has no verified domain',
    when: 'An audit or a sitemap sync needs the domain of the project. New projects have a domain that is checked, so only one of an older catalog lacks it.',
    howToFix: 'Set the domain of the project.',
  },
  no_workspace: {
    status: 403,
    title: 'The project has no workspace',
    when: 'The project is not linked to a workspace. Report, audit and sitemap actions answer with status 400. Every project is made in a workspace, so this service does not answer with it.',
    howToFix: 'Link the project to a workspace.',
  },
  no_pages: {
    status: 400,
    title: 'No pages to audit',
    when: 'No page to audit: the project tracks no pages, or no id in `pageIds` belongs to the project.',
    howToFix: 'Track pages, or send `pageIds` of this project.',
  },
  bulk_limit_exceeded: {
    status: 400,
    title: 'Too many pages in one request',
    when: "The number of pages exceeds the plan's limit for one request.",
    howToFix:
      'Send at most `maxAllowed` pages in one request. Without `pageIds`, `maxPages` chooses the pages of most reach.',
  },
  quota_exceeded: {
    status: 403,
    title: 'Quota exhausted',
    when: 'The quota of the plan for prompts, audits or reports is used up. `current` and `limit` give the numbers.',
    howToFix: 'Free some of the quota, wait until it resets, or move to a larger plan.',
  },
  project_not_runnable: {
    status: 403,
    title: 'The project is paused or archived',
    when: 'A paused or archived project runs no audits, reports or sitemap syncs.',
    howToFix: 'Activate the project.',
  },
  pitch_not_supported: {
    status: 403,
    title: 'Not available on pitch projects',
    when: 'Only regular projects have this feature.',
    howToFix: 'Convert the pitch project to a regular project.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    when: 'The key exceeded its request rate, or the project already runs a job of this kind.',
    howToFix: 'Wait for the number of seconds in `Retry-After`, then retry.',
    retryable: true,
  },
  idempotency_in_flight: {
    status: 409,
    title: 'The first request with this key is still running',
    when: 'A request with the same `Idempotency-Key` has not finished yet.',
    howToFix: 'Wait for the number of seconds in `Retry-After`, then retry.',
    retryable: true,
  },
  idempotency_conflict: {
    status: 409,
    title: 'The idempotency key was used for another request',
    when: 'The `Idempotency-Key` was already used with another operation, path or body.',
    howToFix: 'Use a new key for a new request.',
  },
  stale_revision: {
    status: 409,
    title: 'The prompt has changed since it was read',
    when: '`If-Match` or `expectedRevision` is not the current revision. Nothing was overwritten.',
    howToFix: 'Read the prompt again, then repeat the write with its `currentRevision`.',
  },
  INACTIVE_PITCH_PROMPT_MUTATION: {
    status: 409,
    title: 'The pitch project is not active',
    when: 'The prompts of an inactive pitch project cannot be changed.',
    howToFix: 'Activate the pitch project.',
  },
  query_timeout: {
    status: 504,
    title: 'The query took too long',
    when: 'The query exceeded its time budget.',
    howToFix: 'Use a shorter window, or add filters.',
    retryable: true,
  },
  query_too_large: {
    status: 400,
    title: 'The answer, or the work behind it, is too large',
    when: 'The answer is larger than a response may be, or the query needs more memory than a query may have.',
    howToFix: 'Use a shorter window, add filters, or ask for fewer rows.',
  },
  gsc_not_connected: {
    status: 409,
    title: 'No Search Console site is linked',
    when: 'The project has no linked Search Console site.',
    howToFix: 'Link a site.',
  },
  gsc_site_not_linked: {
    status: 404,
    title: 'The linked Search Console site is gone',
    when: 'The linked Search Console site no longer exists.',
    howToFix: 'Link the site again.',
  },
  gsc_access_denied: {
    status: 403,
    title: 'Search Console denied access',
    when: 'Google denied access: access was revoked, or the site is no longer shared with the account.',
    howToFix: 'Share the site with the account again.',
  },
  ga4_not_connected: {
    status: 409,
    title: 'No web-analytics property is linked',
    when: 'The project has no linked web-analytics property.',
    howToFix: 'Link a property.',
  },
  traffic_not_connected: {
    status: 409,
    title: 'No traffic source is connected',
    when: 'The project has no tracker, CDN or log source.',
    howToFix: 'Connect the tracker, or import an access log.',
  },
  internal_error: {
    status: 500,
    title: 'Unexpected failure',
    when: 'The service failed unexpectedly. With status 502, a database did not answer and `retryable` is true.',
  },
  ...graphProblems,
} as const satisfies Record<string, CatalogEntry>

export type ErrorCode = keyof typeof catalog

/** The wrong fields of a request: the `details` member of a problem. */
export interface FaultDetails {
  formErrors: string[]
  fieldErrors: Record<string, string[]>
}

/** Members of a problem that only some codes have. */
export interface FaultExtras {
  details?: FaultDetails
  /** In place of the text that the catalog has for every fault of the code. */
  howToFix?: string
  requiresUpgrade?: boolean
  timeout?: boolean
  quotaExceeded?: boolean
  bulkLimitExceeded?: boolean
  current?: number
  limit?: number
  requested?: number
  maxAllowed?: number
  currentRevision?: number
  cost?: number
  maxCost?: number
  /** The page of a list with which a document passes. */
  cheaper?: {
    readonly path: readonly string[]
    readonly argument: string
    readonly value: number
    readonly cost: number
  }
}

/** What the graph says of a fault beside the problem of REST, whose contract has no place for it. */
export interface GraphFacts {
  /** The id, or another value of the request, by which nothing was found. */
  readonly missing?: string
  /** The scope or capability that the key lacks. */
  readonly grant?: string
}

/** An error of the catalog. Any layer throws it; only REST and GraphQL render it. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly retryable: boolean
  readonly extras: FaultExtras
  readonly headers: Record<string, string>
  readonly graph: GraphFacts

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      extras?: FaultExtras
      headers?: Record<string, string>
      graph?: GraphFacts
      status?: number
      retryable?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Fault'
    const entry: CatalogEntry = catalog[code]
    this.code = code
    this.status = options.status ?? entry.status
    this.retryable = options.retryable ?? entry.retryable ?? false
    this.extras = options.extras ?? {}
    this.headers = options.headers ?? {}
    this.graph = options.graph ?? {}
  }
}

/**
 * 400 `invalid_argument` that names one field.
 * @param rule begins with a verb and has no full stop, such as "must be true or false"
 * @param got the value; absent for a value that must not be shown, or does not help
 */
export function invalid(field: string, rule: string, got?: unknown): Fault {
  return fieldFault('invalid_argument', field, withGot(rule, got))
}

/** A fault about one field. `text` begins with a verb. */
export function fieldFault(code: ErrorCode, field: string, text: string): Fault {
  return new Fault(code, fieldSentence(field, text), {
    extras: { details: { formErrors: [], fieldErrors: { [field]: [text] } } },
  })
}

/** 400 `invalid_argument` about the body as a whole. */
export function invalidBody(message: string): Fault {
  return new Fault('invalid_argument', `The body ${message}.`, {
    extras: { details: { formErrors: [message], fieldErrors: {} } },
  })
}

/** 405 `method_not_allowed`. `allowed` is the value of the header `Allow`. */
export function methodNotAllowed(method: string | undefined, allowed: string): Fault {
  return new Fault('method_not_allowed', `${method} is not allowed here, ${allowed} is.`, {
    headers: { Allow: allowed },
  })
}

/**
 * 404 `not_found`. The text gives no reason: a hidden resource must look like a missing one.
 * @param missing the value of the request that finds nothing, where the request has several
 */
export function notFound(missing?: string): Fault {
  const graph = missing === undefined ? {} : { missing }
  return new Fault('not_found', 'The resource does not exist or is not reachable with this key.', {
    graph,
  })
}

/** 502 `internal_error`, retryable: a database behind the API did not answer. */
export function engineDown(cause: unknown): Fault {
  return new Fault('internal_error', 'A part of the service did not answer. Try again shortly.', {
    status: 502,
    retryable: true,
    cause,
  })
}
