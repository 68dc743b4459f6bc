import { setTimeout as sleep } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const mostAttempts = 6
const firstWaitMs = 250

/** A read may always be sent again; a write that has a key is done once, however often it is sent. */
function mayBeRepeated({ method, headers }: Request): boolean {
  return method === 'GET' || headers.has('Idempotency-Key')
}

/** Whether the same request may succeed later: 429, 5xx, and what says so, such as a twin that is still running. */
async function isPassing(response: Response): Promise<boolean> {
  if (response.status === 429 || response.status >= 500) return true
  if (response.status !== 409) return false
  const problem: { retryable?: boolean } = await response.clone().json()
  return problem.retryable === true
}

function waitMs(response: Response | undefined, attempt: number): number {
  const asked = Number(response?.headers.get('Retry-After'))
  return asked > 0 ? asked * 1000 : firstWaitMs * 2 ** attempt
}

/** `fetch` that goes on when the service, or the way to it, fails for a while. */
async function fetchPatiently(request: Request): Promise<Response> {
  if (!mayBeRepeated(request)) return fetch(request)
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt + 1 === mostAttempts
    // Without an answer nobody knows whether the request arrived: that is what the key is for.
    const response = await fetch(request.clone()).catch((error) => {
      if (isLast) throw error
      return undefined
    })
    if (response && (isLast || !(await isPassing(response)))) return response
    await sleep(waitMs(response, attempt))
  }
}

/** A client that knows every operation, parameter and answer of the REST API. */
export function connect(baseUrl: string, key: string) {
  return createClient<paths, 'application/json' | 'application/problem+json'>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    fetch: fetchPatiently,
    // Lists are separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
}

export type Client = ReturnType<typeof connect>

/** What was answered; a problem is thrown by its code, which never changes, and its message. */
export function answerOf<Data>(result: {
  readonly data?: Data
  readonly error?: { readonly code: string; readonly message: string }
}): Data {
  if (result.data !== undefined) return result.data
  throw new Error(`${result.error?.code}: ${result.error?.message}`)
}
