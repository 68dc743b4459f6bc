import { JWT } from 'google-auth-library'
import pRetry from 'p-retry'
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'

/** Google denied access to what was asked for, or does not know it. */
export class GoogleRefusal extends Error {
  readonly problem: 'accessDenied' | 'notFound'

  constructor(problem: 'accessDenied' | 'notFound', message: string) {
    super(message)
    this.problem = problem
  }
}

/** An answer that another try may change: too many requests, or a fault of theirs. */
class Unready extends Error {}

const account = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key: z.string().includes('PRIVATE KEY'),
})

export interface GoogleOptions {
  /** The text of a service account's key file. */
  readonly credentials: string
  /** What the token may be used for. */
  readonly scope: string
  /** Stands in the place of `https://….googleapis.com`. */
  readonly baseUrl?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Asks one of Google's APIs by POST, and gives the JSON of the answer. */
export type AskGoogle = (url: string, body: object) => Promise<unknown>

/**
 * An API of Google under a service account. Too many requests and faults of theirs are tried again, for half a minute
 * in all.
 * @throws {Fault} `invalid_argument` when the credentials are none
 * @throws {GoogleRefusal} by each asking, at 403 and 404
 */
export function openGoogle({ credentials, scope, baseUrl, signal }: GoogleOptions): AskGoogle {
  const placed = (url: string | URL) => (baseUrl ? placeUnder(baseUrl, url) : url)
  const { client_email: email, private_key: key } = readAccount(credentials)
  const fetchPlaced: typeof fetch = (input, init) =>
    fetch(input instanceof Request ? input : placed(input), init)
  const transporterOptions = { fetchImplementation: fetchPlaced }
  const jwt = new JWT({ email, key, scopes: [scope], transporterOptions })
  const ask = async (url: string, body: object): Promise<unknown> => {
    const { token } = await jwt.getAccessToken()
    const response = await fetch(placed(url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
    return readAnswer(response)
  }
  return (url, body) =>
    pRetry(() => ask(url, body), {
      retries: 5,
      minTimeout: 500,
      ...(signal ? { signal } : {}),
      // A connection that breaks is a TypeError of fetch.
      shouldRetry: ({ error }) => error instanceof Unready || error instanceof TypeError,
    })
}

function placeUnder(baseUrl: string, url: string | URL): URL {
  const { pathname, search } = new URL(url)
  return new URL(baseUrl.replace(/\/$/, '') + pathname + search)
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

const failure = z.object({ error: z.object({ message: z.string() }) })

async function readAnswer(response: Response): Promise<unknown> {
  const { status } = response
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  const said = failure.safeParse(jsonOf(text)).data?.error.message ?? text.slice(0, 200)
  const message = `Google answered ${status}: ${said}`
  if (status === 403) throw new GoogleRefusal('accessDenied', message)
  if (status === 404) throw new GoogleRefusal('notFound', message)
  if (status === 429 || status >= 500) throw new Unready(message)
  throw new Error(message)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
