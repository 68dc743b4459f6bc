import { z } from 'zod'
import { paragraphs } from './answer-text.ts'
import { outcomeOf, type ProviderReply, pagesOf, sum, textsOf } from './reply.ts'

/**
 * Messages of Anthropic. A search may stand alone, or be called by code that filters its results: both have their blocks
 * beside the text.
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */

const page = z.object({ url: z.string().nullish(), title: z.string().nullish() })
const block = z.object({
  type: z.string(),
  text: z.string().nullish(),
  input: z.object({ query: z.string().nullish() }).nullish().catch(null),
  citations: z.array(page).nullish().catch(null),
  /** Of a search, pages; of others, and of a search that failed, something else. */
  content: z.unknown().optional(),
})
type Block = z.infer<typeof block>

const fetched = z.object({
  url: z.string(),
  content: z.object({ title: z.string().nullish() }).nullish().catch(null),
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
type Message = z.infer<typeof messageBody>

/** The bodies of a turn that Anthropic paused, in order, as they are kept. */
export const turnBody = z.object({ turns: z.array(messageBody).min(1) })

/** Stops that leave an answer unfinished. */
const cuts = new Set(['max_tokens', 'model_context_window_exceeded'])
const paused = 'pause_turn'

/** Blocks of text that follow one another are one text: a citation has a block of its own. */
function textOf(blocks: readonly Block[]): string {
  const texts: string[] = ['']
  for (const { type, text } of blocks) {
    if (type === 'text') texts.push(`${texts.pop()}${text ?? ''}`)
    else texts.push('')
  }
  return paragraphs(texts)
}

/** The pages that a block has read. */
function foundBy({ type, content }: Block) {
  if (type === 'web_search_tool_result') return z.array(page).safeParse(content).data ?? []
  if (type !== 'web_fetch_tool_result') return []
  const { data } = fetched.safeParse(content)
  return data ? [{ url: data.url, title: data.content?.title }] : []
}

export function readMessages(bodies: readonly Message[]): ProviderReply {
  const blocks = bodies.flatMap(({ content }) => content)
  const { stop_reason: stop, model } = bodies.at(-1) ?? {}
  const text = textOf(blocks)
  const ended = () => {
    if (stop === 'refusal') return 'refused'
    // Nothing of a turn that never ended is an answer.
    return stop === paused ? 'failed' : outcomeOf(text, cuts.has(stop ?? ''))
  }
  const outcome = ended()
  return {
    outcome,
    reason: outcome === 'answered' ? '' : (stop ?? ''),
    text,
    model: model ?? '',
    createdAt: null,
    searchQueries: textsOf(
      blocks.map(({ type, input }) => (type === 'server_tool_use' ? input?.query : null)),
    ),
    pages: pagesOf(
      blocks.flatMap(({ citations }) => citations ?? []),
      blocks.flatMap(foundBy),
    ),
    usage: {
      inputTokens: sum(bodies.map(({ usage }) => usage?.input_tokens)),
      outputTokens: sum(bodies.map(({ usage }) => usage?.output_tokens)),
      searches: sum(bodies.map(({ usage }) => usage?.server_tool_use?.web_search_requests)),
      cost: null,
    },
  }
}
