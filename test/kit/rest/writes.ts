import type { TestApi } from '../api.ts'

/** A write as a test sends it. */
export interface Write {
  readonly path: string
  readonly key: string
  readonly method?: 'POST' | 'PATCH'
  /** Text and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

/** Sends a write over REST. */
export function sendWrite(
  { url }: Pick<TestApi, 'url'>,
  { path, key, method = 'POST', body, headers = {} }: Write,
): Promise<Response> {
  const authorization = `Bearer ${key}`
  return fetch(url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
}

/** An answer to a write, as far as its key is concerned. */
export async function tellOf(response: Response) {
  const text = await response.text()
  const body = JSON.parse(text) as {
    code?: string
    retryable?: boolean
    details?: { formErrors: string[]; fieldErrors: Record<string, string[]> }
  }
  return {
    status: response.status,
    text,
    code: body.code,
    retryable: body.retryable ?? false,
    details: body.details,
    fields: Object.keys(body.details?.fieldErrors ?? {}),
    replayed: response.headers.get('x-idempotent-replay') === 'true',
    skipped: response.headers.get('x-idempotent-skipped'),
    retryAfter: response.headers.get('retry-after'),
  }
}
