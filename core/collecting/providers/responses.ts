import { z } from 'zod'
import { paragraphs, shownText } from './answer-text.ts'
import { outcomeOf, type ProviderReply, pagesOf, textsOf } from './reply.ts'
import { typedQuery } from './typed-query.ts'

/** Responses of OpenAI and xAI. */

const annotation = z.object({
  type: z.string(),
  url: z.string().nullish(),
  title: z.string().nullish(),
})
const part = z.object({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
  annotations: z.array(annotation).nullish(),
})
const item = z.object({
  type: z.string(),
  /** `commentary` is what the model says on its way to the answer. */
  phase: z.string().nullish(),
  content: z.array(part).nullish(),
  arguments: z.string().nullish(),
  action: z
    .object({
      /** A page that is opened, or read for a phrase, is no search: OpenAI bills searches alone. */
      type: z.string().nullish(),
      query: z.string().nullish(),
      queries: z.array(z.string()).nullish(),
      sources: z.array(z.object({ url: z.string().nullish() })).nullish(),
    })
    .nullish(),
})

export const responseBody = z.object({
  object: z.literal('response'),
  model: z.string().nullish(),
  created_at: z.number().nullish(),
  status: z.string().nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(item).nullish(),
  usage: z
    .object({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      cost_in_usd_ticks: z.number().nullish(),
    })
    .nullish(),
})

/** xAI counts dollars in parts of ten thousand million. */
const ticksInDollar = 1e10
/** DeepSeek lists the id of a search among its questions. */
const callId = 'ws_call_id='

type Part = z.infer<typeof part>
const textOf = (parts: readonly Part[]) =>
  shownText(parts.map((one) => (one.type === 'output_text' ? (one.text ?? '') : '')).join(''))

export function readResponse(body: z.infer<typeof responseBody>): ProviderReply {
  const items = body.output ?? []
  const messages = items
    .filter(({ type, phase }) => type === 'message' && phase !== 'commentary')
    .map(({ content }) => content ?? [])
  const parts = messages.flat()
  const searches = items.filter(({ type }) => type === 'web_search_call')
  const text = paragraphs(messages.map(textOf))
  const refusal = parts.find(({ type }) => type === 'refusal')?.refusal
  const limit = body.incomplete_details?.reason ?? ''
  const cited = parts.flatMap(({ annotations }) => annotations ?? [])
  const { input_tokens, output_tokens, cost_in_usd_ticks: ticks } = body.usage ?? {}
  const ended = (): Pick<ProviderReply, 'outcome' | 'reason'> => {
    if (body.error || body.status === 'failed') {
      return { outcome: 'failed', reason: body.error?.message ?? 'failed' }
    }
    if (refusal && text === '') return { outcome: 'refused', reason: refusal }
    if (limit === 'content_filter') return { outcome: 'filtered', reason: limit }
    return { outcome: outcomeOf(text, body.status === 'incomplete'), reason: limit }
  }
  return {
    ...ended(),
    text,
    model: body.model ?? '',
    createdAt: body.created_at ?? null,
    searchQueries: textsOf(
      searches.flatMap(({ action, arguments: given }) => [
        ...(action?.queries ?? [action?.query]),
        typedQuery(given),
      ]),
    ).filter((query) => !query.startsWith(callId)),
    pages: pagesOf(
      cited.filter(({ type }) => type === 'url_citation'),
      searches.flatMap(({ action }) => action?.sources ?? []),
    ),
    usage: {
      inputTokens: input_tokens ?? null,
      outputTokens: output_tokens ?? null,
      searches: searches.filter(({ action }) => (action?.type ?? 'search') === 'search').length,
      cost: ticks == null ? null : ticks / ticksInDollar,
    },
  }
}
