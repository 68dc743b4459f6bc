import type { Reply } from '../kit/collecting/provider.ts'

/** Streams of events, as providers send them that are asked for one. */

const eventOf = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`

/** Sends a text in pieces of a few bytes, and ends. */
export const inPieces =
  (text: string, headers: Record<string, string>, size = 41): Reply =>
  async (_question, response) => {
    response.writeHead(200, headers)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) {
      // Each piece on its own: several at once may share a packet.
      await new Promise<void>((sent) => response.write(bytes.subarray(at, at + size), () => sent()))
    }
    response.end()
  }

/** A stream of events, which ends where its text does. */
export const streaming = (...events: readonly string[]): Reply =>
  inPieces(events.join(''), { 'content-type': 'text/event-stream' })

const chunkOf = (choice: object, more: object = {}) =>
  eventOf({ object: 'chat.completion.chunk', model: 'model-2', choices: [choice], ...more })

/** Chunks of a chat completion, with a page and a price; `isWhole: false` leaves out its end. */
export function chatEvents(text: string, url: string, isWhole = true): string[] {
  const [half, rest] = [text.slice(0, 5), text.slice(5)]
  const annotations = [{ type: 'url_citation', url_citation: { url, title: 'Cited' } }]
  return [
    ': PROCESSING\n\n',
    chunkOf({ index: 0, delta: { role: 'assistant', content: half } }, { usage: null }),
    chunkOf({ index: 0, delta: { content: rest, annotations }, finish_reason: null }),
    ...(isWhole
      ? [
          chunkOf({ index: 0, delta: {}, finish_reason: 'stop' }),
          eventOf({ object: 'chat.completion.chunk', choices: [], usage: { cost: 0.004 } }),
          'data: [DONE]\n\n',
        ]
      : []),
  ]
}

/** Events of a response. The last has all of it. */
export const responseEvents = (response: object, isWhole = true): string[] => [
  eventOf({ type: 'response.created', response: { object: 'response' } }, 'response.created'),
  eventOf({ type: 'response.output_text.delta', delta: 'Ac' }, 'response.output_text.delta'),
  ...(isWhole ? [eventOf({ type: 'response.completed', response }, 'response.completed')] : []),
]

/** Events of a message of Anthropic, which end as they should. */
export const messageEvents: readonly string[] = [
  eventOf({ type: 'message_start', message: { type: 'message', content: [] } }, 'message_start'),
  eventOf({ type: 'content_block_delta', delta: { text: 'Acme.' } }, 'content_block_delta'),
  eventOf({ type: 'message_stop' }, 'message_stop'),
]

/** An error in the middle of a stream. */
export const errorEvents: readonly string[] = [
  chunkOf({ index: 0, delta: { content: 'Ac' } }),
  eventOf({ error: { code: 502, message: 'Wrong' }, choices: [] }),
]
