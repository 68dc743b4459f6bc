import { z } from 'zod'
import { outcomeOf, type ProviderReply, pagesOf, textsOf } from './reply.ts'

/** Messages of Anthropic. */

const page = z.object({ url: z.string().nullish(), title: z.string().nullish() })
const block = z.object({
  type: z.string(),
  text: z.string().nullish(),
  name: z.string().nullish(),
  input: z.object({ query: z.string().nullish() }).nullish(),
  citations: z.array(page).nullish(),
  // A search that failed has an error in place of its results.
  content: z.union([z.array(page), z.object({ error_code: z.string() })]).nullish(),
})

export const messageBody = z.object({
  type: z.literal('message'),
  model: z.string().nullish(),
  stop_reason: z.string().nullish(),
  content: z.array(block),
  usage: z
    .object({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      server_tool_use: z.object({ web_search_requests: z.number().nullish() }).nullish(),
    })
    .nullish(),
})

/** Stops that leave an answer unfinished. */
const cuts = new Set(['max_tokens', 'pause_turn', 'model_context_window_exceeded'])

export function readMessage(body: z.infer<typeof messageBody>): ProviderReply {
  const { content, stop_reason: stop } = body
  const text = content.map((one) => (one.type === 'text' ? (one.text ?? '') : '')).join('')
  const found = content.flatMap(({ type, content: results }) =>
    type === 'web_search_tool_result' && Array.isArray(results) ? results : [],
  )
  const isRefused = stop === 'refusal'
  const outcome = isRefused ? 'refused' : outcomeOf(text, cuts.has(stop ?? ''))
  return {
    outcome,
    reason: outcome === 'answered' ? '' : (stop ?? ''),
    text,
    model: body.model ?? '',
    createdAt: null,
    searchQueries: textsOf(
      content.map(({ type, input }) => (type === 'server_tool_use' ? input?.query : null)),
    ),
    pages: pagesOf(
      content.flatMap(({ citations }) => citations ?? []),
      found,
    ),
    usage: {
      inputTokens: body.usage?.input_tokens ?? null,
      outputTokens: body.usage?.output_tokens ?? null,
      searches: body.usage?.server_tool_use?.web_search_requests ?? null,
      cost: null,
    },
  }
}
