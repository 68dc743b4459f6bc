import { z } from 'zod'
import { content, paragraphs, shownText, textOf } from './answer-text.ts'
import { outcomeOf, type ProviderReply, pagesOf, sum, textsOf } from './reply.ts'
import { typedQuery } from './typed-query.ts'

/**
 * Conversations of Mistral with its web search. What the answer cites stands between the parts of its text.
 * @see https://docs.mistral.ai/agents/connectors/websearch
 */

const reference = z.object({
  type: z.literal('tool_reference'),
  url: z.string().nullish(),
  title: z.string().nullish(),
})
const entry = z.object({
  type: z.string(),
  name: z.string().nullish(),
  model: z.string().nullish(),
  created_at: z.string().nullish(),
  arguments: z.string().nullish().catch(null),
  /** Texts, and what they refer to among them. */
  content: z.unknown().optional(),
})
type Entry = z.infer<typeof entry>

const textIn = ({ content: given }: Entry) => shownText(textOf(content.safeParse(given).data))

const citedIn = ({ content: given }: Entry) =>
  Array.isArray(given) ? given.flatMap((one) => reference.safeParse(one).data ?? []) : []

export const conversationBody = z.object({
  object: z.literal('conversation.response'),
  outputs: z.array(entry),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      /** Of the pages that a search returned. They are billed as tokens that the model reads. */
      connector_tokens: z.number().nullish(),
      connectors: z.record(z.string(), z.number()).nullish().catch(null),
    })
    .nullish(),
})

export function readConversation({
  outputs,
  usage,
}: z.infer<typeof conversationBody>): ProviderReply {
  const messages = outputs.filter(({ type }) => type === 'message.output')
  const text = paragraphs(messages.map(textIn))
  const outcome = outcomeOf(text, false)
  const last = messages.at(-1)
  const time = Date.parse(last?.created_at ?? '')
  const searches = outputs.filter(({ type, name }) => {
    return type === 'tool.execution' && name?.startsWith('web_search')
  })
  const { web_search, web_search_premium } = usage?.connectors ?? {}
  return {
    outcome,
    reason: outcome === 'answered' ? '' : 'no message',
    text,
    model: last?.model ?? '',
    createdAt: Number.isNaN(time) ? null : Math.floor(time / 1000),
    searchQueries: textsOf(searches.map((one) => typedQuery(one.arguments))),
    pages: pagesOf(messages.flatMap(citedIn), []),
    usage: {
      inputTokens: sum([usage?.prompt_tokens, usage?.connector_tokens]),
      outputTokens: usage?.completion_tokens ?? null,
      searches: sum([web_search, web_search_premium]) ?? searches.length,
      cost: null,
    },
  }
}
