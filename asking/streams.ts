import { bodyOfEvents, type Streamed } from '../core/providers/streamed.ts'

/** Whether a body is a stream of events. A body of JSON begins with none of these. */
export const isStream = (text: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(text)

/** The body that a whole stream makes up, or what is wrong with the stream. */
export async function readStream(text: string): Promise<Streamed> {
  // Loaded when a gateway streams, which few do.
  const [{ default: OpenAI }, { Stream }] = await Promise.all([
    import('openai'),
    import('openai/streaming'),
  ])
  // Without a client it would write broken events to standard error.
  const client = new OpenAI({ apiKey: 'none', logLevel: 'off' })
  const events: unknown[] = []
  try {
    const response = new Response(text)
    const own = new AbortController()
    const stream = Stream.fromSSEResponse<unknown>(response, own, client, false, 'events')
    for await (const event of stream) events.push(event)
  } catch {
    return { problem: 'a stream that is not JSON' }
  }
  return bodyOfEvents(events, /^data: ?\[DONE\]/m.test(text))
}
