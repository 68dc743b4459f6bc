import { bodyOfEvents, type Streamed } from '../../core/collecting/providers/streamed.ts'

/** Whether a body is a stream of events. A body of JSON begins with none of these. */
export const isStream = (text: string): boolean => /^\s*(?:data|event|id|retry)?:/.test(text)

const end = '[DONE]'

/** The body that a whole stream makes up, or what is wrong with the stream. */
export async function readStream(text: string): Promise<Streamed> {
  // Loaded when a gateway streams, which few do.
  const { createParser } = await import('eventsource-parser')
  const texts: string[] = []
  const parser = createParser({ onEvent: ({ data }) => texts.push(data) })
  // Some gateways leave out the empty line after the last event.
  parser.feed(`${text}\n\n`)
  const isDone = texts.includes(end)
  try {
    const events = texts.slice(0, isDone ? texts.indexOf(end) : undefined)
    return bodyOfEvents(
      events.map((event): unknown => JSON.parse(event)),
      isDone,
    )
  } catch {
    return { problem: 'a stream that is not JSON' }
  }
}
