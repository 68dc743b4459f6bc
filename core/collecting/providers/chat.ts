import { z } from 'zod'
import { content, shownText, textOf } from './answer-text.ts'
import { outcomeOf, type ProviderReply, pagesOf, textsOf } from './reply.ts'
import { typedQuery } from './typed-query.ts'

/** Chat completions of Perplexity, OpenRouter and every other provider that speaks them. */

const page = z.object({ url: z.string().nullish(), title: z.string().nullish() })
/** A search of a system of Groq, which has them beside its answer. */
const executed = z.object({
  arguments: z.string().nullish(),
  search_results: z.object({ results: z.array(page).nullish() }).nullish(),
})
const choice = z.object({
  finish_reason: z.string().nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
  message: z
    .object({
      content: content.nullish(),
      refusal: z.string().nullish(),
      annotations: z.array(z.object({ url_citation: page.nullish() })).nullish(),
      executed_tools: z.array(executed).nullish().catch(null),
    })
    .nullish(),
})

export const chatBody = z.object({
  object: z.literal('chat.completion').nullish(),
  model: z.string().nullish(),
  created: z.number().nullish(),
  choices: z.array(choice),
  citations: z.array(z.union([z.string(), page])).nullish(),
  search_results: z.array(page).nullish(),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      num_search_queries: z.number().nullish(),
      cost: z.union([z.number(), z.object({ total_cost: z.number().nullish() })]).nullish(),
      server_tool_use: z.object({ web_search_requests: z.number().nullish() }).nullish(),
      server_tool_use_details: z.object({ web_search_requests: z.number().nullish() }).nullish(),
    })
    .nullish(),
})

function costOf(cost: number | { total_cost?: number | null | undefined } | null | undefined) {
  return typeof cost === 'number' ? cost : (cost?.total_cost ?? null)
}

export function readChat(body: z.infer<typeof chatBody>): ProviderReply {
  const [first] = body.choices
  const { content: given, refusal, annotations, executed_tools } = first?.message ?? {}
  const text = shownText(textOf(given))
  const searches = (executed_tools ?? []).filter(({ search_results }) => search_results)
  const stop = first?.finish_reason ?? ''
  const ended = (): Pick<ProviderReply, 'outcome' | 'reason'> => {
    if (first?.error || stop === 'error') {
      return { outcome: 'failed', reason: first?.error?.message ?? stop }
    }
    if (refusal && text === '') return { outcome: 'refused', reason: refusal }
    if (stop === 'content_filter') return { outcome: 'filtered', reason: stop }
    const outcome = outcomeOf(text, stop === 'length')
    return { outcome, reason: outcome === 'answered' ? '' : stop }
  }
  const listed = (body.citations ?? []).map((one) => (typeof one === 'string' ? { url: one } : one))
  const { usage } = body
  return {
    ...ended(),
    text,
    model: body.model ?? '',
    createdAt: body.created ?? null,
    searchQueries: textsOf(searches.map((one) => typedQuery(one.arguments))),
    pages: pagesOf(
      [...listed, ...(annotations ?? []).flatMap((one) => one.url_citation ?? [])],
      [
        ...(body.search_results ?? []),
        ...searches.flatMap(({ search_results }) => search_results?.results ?? []),
      ],
    ),
    usage: {
      inputTokens: usage?.prompt_tokens ?? null,
      outputTokens: usage?.completion_tokens ?? null,
      searches:
        usage?.num_search_queries ??
        usage?.server_tool_use?.web_search_requests ??
        usage?.server_tool_use_details?.web_search_requests ??
        null,
      cost: costOf(usage?.cost),
    },
  }
}
