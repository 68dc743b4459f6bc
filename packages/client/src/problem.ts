import { retryAfterMs } from './retries.ts'
import type { components } from './schema.ts'

/** What REST answers instead of data (RFC 9457). */
export type Problem = components['schemas']['Problem']

/** What is wrong, by the field of the request: `prompts.3.text`. */
export type Fields = Readonly<Record<string, readonly string[]>>

/** A request that the service refused. Its message names the code and what is wrong. */
export class SightlineError extends Error {
  override readonly name = 'SightlineError'
  /** Status of HTTP. */
  readonly status: number
  /** Branch on it: it never changes. Undefined where the answer is not of Sightline, but of a proxy. */
  readonly code: string | undefined
  /** What is wrong, by the field of the request. */
  readonly fields: Fields
  /** What to do about it. */
  readonly howToFix: string | undefined
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined
  /** The whole problem. */
  readonly problem: Partial<Problem>

  constructor(response: Response, problem: Partial<Problem>) {
    const { code, message, details, howToFix, requestId } = problem
    super(`${code ?? response.status}: ${message ?? response.statusText}`)
    this.status = response.status
    this.code = code
    this.fields = details?.fieldErrors ?? {}
    this.howToFix = howToFix
    this.requestId = requestId ?? response.headers.get('x-request-id') ?? undefined
    this.retryAfterMs = retryAfterMs(response)
    this.problem = problem
  }
}
