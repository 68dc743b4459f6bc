import { JWT } from 'google-auth-library'
import pRetry from 'p-retry'
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { mayPass, Refusal, type RefusalProblem } from './refusal.ts'

/** Google gives no data for what was asked. */
export class GoogleRefusal extends Refusal {}

const account = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key: z.string().includes('PRIVATE KEY'),
})

/** How the APIs of Google are reached. */
export interface GoogleReach {
  /** Stands in the place of `https://….googleapis.com`. */
  readonly baseUrl?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** How often a request is tried again at once. Default: five times, within half a minute. */
  readonly retries?: number
}

/** Asks one of Google's APIs, by POST where there is a body, and gives the JSON of the answer. */
export type AskGoogle = (url: string, body?: object) => Promise<unknown>

/**
 * An API of Google under a service account.
 * @param credentials the text of a service account's key file
 * @param scope what the token may be used for
 * @throws {Fault} `invalid_argument` when the credentials are none
 */
export function openGoogle(credentials: string, scope: string, reach: GoogleReach): AskGoogle {
  const { client_email: email, private_key: key } = readAccount(credentials)
  const fetchPlaced: typeof fetch = (input, init) =>
    fetch(input instanceof Request ? input : placed(reach, input), init)
  const transporterOptions = { fetchImplementation: fetchPlaced }
  const jwt = new JWT({ email, key, scopes: [scope], transporterOptions })
  return askGoogle(async () => (await jwt.getAccessToken()).token ?? '', reach)
}

/**
 * The APIs of Google under a token. Too many requests and faults of theirs are tried again.
 * @throws {GoogleRefusal} by each request
 */
export function askGoogle(tokenOf: () => Promise<string>, reach: GoogleReach): AskGoogle {
  const { signal } = reach
  const ask = async (url: string, body: object | undefined): Promise<unknown> => {
    const headers = { authorization: `Bearer ${await tokenOf()}` }
    const response = await fetch(placed(reach, url), {
      ...(body
        ? {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
        : { headers }),
      ...(signal ? { signal } : {}),
    })
    return readAnswer(response)
  }
  return (url, body) =>
    pRetry(() => ask(url, body).catch(asRefusal), {
      retries: reach.retries ?? 5,
      minTimeout: 500,
      ...(signal ? { signal } : {}),
      shouldRetry: ({ error }) => mayPass(error),
    })
}

/** A connection that breaks is a TypeError of fetch. */
function asRefusal(error: unknown): never {
  if (!(error instanceof TypeError)) throw error
  throw new GoogleRefusal('unavailable', 'Google cannot be reached.', { cause: error })
}

/** An address of Google, where the service reaches it. */
export function placed({ baseUrl }: GoogleReach, url: string | URL): URL {
  const { pathname, search } = new URL(url)
  return new URL(baseUrl ? baseUrl.replace(/\/$/, '') + pathname + search : url)
}

function readAccount(text: string): z.infer<typeof account> {
  try {
    return account.parse(JSON.parse(text))
  } catch {
    throw invalid(
      'credentials',
      'must be the key of a service account, the JSON file that Google gives',
    )
  }
}

const reasoned = z.array(z.object({ reason: z.string().optional() })).optional()

/** @see https://google.aip.dev/193 */
const failure = z.object({
  error: z.object({ message: z.string(), errors: reasoned, details: reasoned }),
})

const quotaReason = /quota|ratelimit|limitexceeded/i
const disabledReason = /^(?:SERVICE_DISABLED|accessNotConfigured)$/
const scopeReason = /^(?:ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions)$/

async function readAnswer(response: Response): Promise<unknown> {
  const { status } = response
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  const error = failure.safeParse(jsonOf(text)).data?.error
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].flatMap(
    ({ reason }) => reason ?? [],
  )
  const message = `Google answered ${status}: ${error?.message ?? text.slice(0, 200)}`
  const problem = problemOf(status, reasons)
  throw problem ? new GoogleRefusal(problem, message) : new Error(message)
}

function problemOf(status: number, reasons: readonly string[]): RefusalProblem | null {
  const says = (pattern: RegExp) => reasons.some((reason) => pattern.test(reason))
  if (status === 429 || (status === 403 && says(quotaReason))) return 'quota'
  if (status === 403 && says(disabledReason)) return 'apiDisabled'
  if (status === 403 && says(scopeReason)) return 'scopeMissing'
  if (status === 403) return 'accessDenied'
  if (status === 404) return 'notFound'
  if (status === 401) return 'signInEnded'
  return status >= 500 ? 'unavailable' : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
