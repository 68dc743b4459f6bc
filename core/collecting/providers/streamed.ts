import { z } from 'zod'
import { content, textOf } from './answer-text.ts'

/** Bodies of providers that come as a stream of events. Sightline asks for none, but some gateways send nothing else. */

const isPresent = <Value>(value: Value | null | undefined): value is Value => value != null

const delta = z.object({
  content: content.nullish(),
  refusal: z.string().nullish(),
  annotations: z.array(z.unknown()).nullish(),
})
const chunk = z.looseObject({
  object: z.string().nullish(),
  choices: z.array(
    z.object({
      index: z.number().nullish(),
      delta: delta.nullish(),
      finish_reason: z.string().nullish(),
      error: z.unknown().optional(),
    }),
  ),
})
const ended = z.object({
  type: z.enum(['response.completed', 'response.incomplete', 'response.failed']),
  response: z.unknown(),
})
const errorEvent = z.object({ error: z.record(z.string(), z.unknown()) })

/** Chunks of a chat completion as its body. Fields of the last chunk that has them hold. */
function chatOf(chunks: readonly z.infer<typeof chunk>[]): object {
  const choices = chunks.flatMap((one) => one.choices.filter(({ index }) => !index))
  const deltas = choices.map((one) => one.delta).filter(isPresent)
  const refusal = deltas.map((one) => one.refusal ?? '').join('')
  const annotations = deltas.flatMap((one) => one.annotations ?? [])
  const shared = chunks.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([, value]) => isPresent(value))),
  )
  const message = {
    role: 'assistant',
    content: deltas.map((one) => textOf(one.content)).join(''),
    ...(refusal && { refusal }),
    ...(annotations.length > 0 && { annotations }),
  }
  const finish_reason = choices.map((one) => one.finish_reason).findLast(isPresent) ?? null
  const error = choices.map((one) => one.error).findLast(isPresent)
  return {
    ...Object.assign({}, ...shared),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason, ...(error !== undefined && { error }) }],
  }
}

/** The body of a stream, or what is wrong with the stream, in the words of a fault. */
export type Streamed = { readonly body: object } | { readonly problem: string }

/**
 * The body that the events of a stream make up: of chat completions, and of responses, whose last event has all of it.
 * @param events JSON of the events, in order
 * @param isDone the stream ended with `[DONE]`
 */
export function bodyOfEvents(events: readonly unknown[], isDone: boolean): Streamed {
  const last = events.flatMap((one) => ended.safeParse(one).data?.response ?? []).at(-1)
  if (typeof last === 'object') return { body: last }
  const chunks = events.flatMap((one) => chunk.safeParse(one).data ?? [])
  if (events.some((one) => errorEvent.safeParse(one).success)) {
    return { problem: 'a stream that ended with an error' }
  }
  const isResponse = events.some(
    (one) => z.object({ type: z.literal('response.created') }).safeParse(one).success,
  )
  if (chunks.length === 0 && !isResponse) {
    return { problem: 'a stream of neither chat completions nor responses' }
  }
  const isWhole = isDone || chunks.some(({ choices }) => choices.some((one) => one.finish_reason))
  if (isResponse || !isWhole) return { problem: 'a stream that broke off' }
  return { body: chatOf(chunks) }
}
