import { z } from 'zod'
import type { ProviderRequest } from './question.ts'

/** Turns that Anthropic pauses: a long one takes several requests. */

const pausedBody = z.object({
  type: z.literal('message'),
  stop_reason: z.literal('pause_turn'),
  content: z.array(z.unknown()),
  container: z.object({ id: z.string() }).nullish(),
})
const sentBody = z.looseObject({ messages: z.array(z.unknown()) })

/**
 * The request that goes on with a turn: all that the assistant has said so far is the last message, unchanged, because the
 * API refuses a search whose result is missing elsewhere.
 * @param turns the replies so far
 * @returns null for a turn that is over
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
export function nextTurn(
  request: ProviderRequest,
  turns: readonly { readonly body: unknown }[],
): ProviderRequest | null {
  const bodies = turns.flatMap(({ body }) => pausedBody.safeParse(body).data ?? [])
  const sent = sentBody.safeParse(request.body).data
  if (bodies.length === 0 || bodies.length < turns.length || !sent) return null
  const content = bodies.flatMap((one) => one.content)
  // Code of the turn goes on in the container that it began in.
  const container = bodies.findLast((one) => one.container)?.container?.id
  const messages = [...sent.messages, { role: 'assistant', content }]
  return { ...request, body: { ...sent, ...(container && { container }), messages } }
}

/** The bodies of a turn as one that is read and kept. None is changed. */
export const joinedTurns = (turns: readonly string[]): string =>
  turns.length === 1 ? (turns[0] ?? '') : `{"turns":[${turns.join(',')}]}`
