import { setTimeout as sleep } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const mostAttempts = 6
const firstWaitMs = 250

/** A read is safe to repeat. A write with an idempotency key happens once, however often it is sent. */
function mayBeRepeated({ method, headers }: Request): boolean {
  return method === 'GET' || headers.has('Idempotency-Key')
}

/** Whether the same request may succeed later: 429, 5xx, or a 409 with `retryable`, such as a twin that still runs. */
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

/** `fetch` with retries while the service or the network fails. */
async function fetchPatiently(request: Request): Promise<Response> {
  if (!mayBeRepeated(request)) return fetch(request)
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt + 1 === mostAttempts
    // A lost response leaves open whether the write happened: the idempotency key makes a repeat safe.
    const response = await fetch(request.clone()).catch((error) => {
      if (isLast) throw error
      return undefined
    })
    if (response && (isLast || !(await isPassing(response)))) return response
    await sleep(waitMs(response, attempt))
  }
}

/** A client with the types of every operation, parameter and response of the REST API. */
export function connect(baseUrl: string, key: string) {
  return createClient<paths, 'application/json' | 'application/problem+json'>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    fetch: fetchPatiently,
    // Sightline takes lists separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
}

export type Client = ReturnType<typeof connect>

/** The data of a response. @throws {Error} with the code of the problem, which never changes, and its message */
export function answerOf<Data>(result: {
  readonly data?: Data
  readonly error?: { readonly code: string; readonly message: string }
}): Data {
  if (result.data !== undefined) return result.data
  throw new Error(`${result.error?.code}: ${result.error?.message}`)
}
