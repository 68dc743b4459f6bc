import { z } from 'zod'
import { outcomeOf, type ProviderReply, pagesOf, sum, textsOf } from './reply.ts'

/** Contents and interactions of Gemini, with Google Search. */

const chunk = z.object({
  web: z.object({ uri: z.string().nullish(), title: z.string().nullish() }).nullish(),
})
const candidate = z.object({
  content: z
    .object({
      parts: z
        .array(z.object({ text: z.string().nullish(), thought: z.boolean().nullish() }))
        .nullish(),
    })
    .nullish(),
  finishReason: z.string().nullish(),
  groundingMetadata: z
    .object({
      webSearchQueries: z.array(z.string()).nullish(),
      groundingChunks: z.array(chunk).nullish(),
      groundingSupports: z
        .array(z.object({ groundingChunkIndices: z.array(z.number()).nullish() }))
        .nullish(),
    })
    .nullish(),
})

export const contentBody = z
  .object({
    candidates: z.array(candidate).nullish(),
    promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
    modelVersion: z.string().nullish(),
    usageMetadata: z
      .object({
        promptTokenCount: z.number().nullish(),
        toolUsePromptTokenCount: z.number().nullish(),
        candidatesTokenCount: z.number().nullish(),
        thoughtsTokenCount: z.number().nullish(),
      })
      .nullish(),
  })
  .refine(({ candidates, promptFeedback }) => candidates || promptFeedback)

const filters = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'])

export function readContent(body: z.infer<typeof contentBody>): ProviderReply {
  const [first] = body.candidates ?? []
  const parts = first?.content?.parts ?? []
  const text = parts.map((one) => (one.thought ? '' : (one.text ?? ''))).join('')
  const { groundingChunks, groundingSupports, webSearchQueries } = first?.groundingMetadata ?? {}
  const chunks = (groundingChunks ?? []).map(({ web }) => ({ url: web?.uri, title: web?.title }))
  const supporting = (groundingSupports ?? []).flatMap((one) => one.groundingChunkIndices ?? [])
  const stop = body.promptFeedback?.blockReason ?? first?.finishReason ?? ''
  const isFiltered = Boolean(body.promptFeedback?.blockReason) || filters.has(stop)
  const outcome = isFiltered ? 'filtered' : outcomeOf(text, stop === 'MAX_TOKENS')
  const { usageMetadata: used } = body
  return {
    outcome,
    reason: outcome === 'answered' ? '' : stop,
    text,
    model: body.modelVersion ?? '',
    createdAt: null,
    searchQueries: textsOf(webSearchQueries ?? []),
    pages: pagesOf(
      supporting.flatMap((at) => chunks[at] ?? []),
      chunks,
    ),
    usage: {
      inputTokens: sum([used?.promptTokenCount, used?.toolUsePromptTokenCount]),
      outputTokens: sum([used?.candidatesTokenCount, used?.thoughtsTokenCount]),
      searches: webSearchQueries?.length ?? null,
      cost: null,
    },
  }
}

const step = z.object({
  type: z.string(),
  content: z
    .array(
      z.object({
        type: z.string(),
        text: z.string().nullish(),
        annotations: z
          .array(z.object({ url: z.string().nullish(), title: z.string().nullish() }))
          .nullish(),
      }),
    )
    .nullish(),
  arguments: z.object({ queries: z.array(z.string()).nullish() }).nullish(),
})

export const interactionBody = z.object({
  object: z.literal('interaction'),
  status: z.string().nullish(),
  model: z.string().nullish(),
  created: z.string().nullish(),
  steps: z.array(step).nullish(),
  usage: z
    .object({
      total_input_tokens: z.number().nullish(),
      total_output_tokens: z.number().nullish(),
      total_tool_use_tokens: z.number().nullish(),
      total_thought_tokens: z.number().nullish(),
    })
    .nullish(),
})

export function readInteraction(body: z.infer<typeof interactionBody>): ProviderReply {
  const steps = body.steps ?? []
  const parts = steps
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => content ?? [])
  const text = parts.map((one) => one.text ?? '').join('')
  const searches = steps.filter(({ type }) => type === 'google_search_call')
  const isOver = body.status === 'completed'
  const isBroken = body.status === 'failed' || body.status === 'cancelled'
  const created = Date.parse(body.created ?? '')
  const { usage } = body
  return {
    outcome: isBroken ? 'failed' : outcomeOf(text, !isOver),
    reason: isOver ? '' : (body.status ?? ''),
    text,
    model: body.model ?? '',
    createdAt: Number.isNaN(created) ? null : created / 1000,
    searchQueries: textsOf(searches.flatMap((one) => one.arguments?.queries ?? [])),
    pages: pagesOf(
      parts.flatMap(({ annotations }) => annotations ?? []),
      [],
    ),
    usage: {
      inputTokens: sum([usage?.total_input_tokens, usage?.total_tool_use_tokens]),
      outputTokens: sum([usage?.total_output_tokens, usage?.total_thought_tokens]),
      searches: searches.length,
      cost: null,
    },
  }
}
