import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApi } from './api.ts'
import { assertProblem } from './rest/problem-schema.ts'

/** A prompt in a body of REST: its record, or its item in a list. */
export interface PromptBody {
  readonly id: string
  readonly text: string
  readonly currentRevision: number
  readonly [field: string]: unknown
}

export interface PromptReply {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly prompt: PromptBody
    readonly prompts: readonly PromptBody[]
    readonly [field: string]: unknown
  }
}

type Method = 'GET' | 'POST' | 'PATCH'

/** Asks REST about one project. Whatever is refused must be a problem of the contract. */
export function askingRest(api: TestApi, project: () => string, key: () => string) {
  return async (
    method: Method,
    tail: string,
    body?: unknown,
    { headers = {}, as = key() }: { headers?: Record<string, string>; as?: string } = {},
  ): Promise<PromptReply> => {
    const response = await fetch(`${api.url}/api/mcp/projects/${project()}${tail}`, {
      method,
      headers: {
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = (await response.json()) as PromptReply['body']
    if (!response.ok) assertProblem(json)
    return { status: response.status, headers: response.headers, body: json }
  }
}

/** Sends a write again that waited too long for others, as on a busy machine. */
export async function patiently<Reply extends { readonly status: number }>(
  send: () => Promise<Reply>,
): Promise<Reply> {
  const reply = await send()
  if (reply.status !== 429) return reply
  await sleep(1000)
  return patiently(send)
}

/** Status and code, with the fields that a refusal names: `400 invalid_argument prompts.3.text`. */
export function outcomeOf({ status, body }: PromptReply): string {
  const { code, details } = body as { code?: string; details?: { fieldErrors: object } }
  return [status, code ?? 'ok', ...Object.keys(details?.fieldErrors ?? {})].join(' ')
}
