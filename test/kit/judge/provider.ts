import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** A mention as the judge is asked about it. */
export interface AskedMention {
  readonly id: number
  readonly brand: string
  readonly passage: string
}

export interface Asked {
  readonly mentions: readonly AskedMention[]
  readonly body: Readonly<Record<string, unknown>>
  readonly authorization: string | undefined
}

type Reply = (asked: Asked, response: ServerResponse) => void

/** A provider of models on the loopback interface, which speaks the protocol of OpenAI. */
export interface Provider {
  readonly url: string
  /** All requests so far. */
  readonly asked: Asked[]
  /** Replies to the next requests, each once. Then `otherwise` replies again. */
  next(...replies: readonly Reply[]): void
  close(): Promise<void>
}

/** A completion with this text, or with these parts. */
export const saying =
  (text: string | readonly object[]): Reply =>
  (_asked, response) => {
    response.setHeader('content-type', 'application/json')
    const message = { role: 'assistant', content: text }
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }))
  }

/** An error as the provider words it. */
export const refusing =
  (status: number, headers: Record<string, string> = {}, error: object = {}): Reply =>
  (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: 'no', ...error } }))
  }

export const tonesOf = (ratings: readonly object[]) => JSON.stringify({ ratings })

/** "great" is positive, "awful" negative, "only named" none, and all else neutral. */
function toneOf(passage: string): string {
  if (/great/.test(passage)) return 'positive'
  if (/awful/.test(passage)) return 'negative'
  return /only named/.test(passage) ? 'none' : 'neutral'
}

/** The words that a verdict quotes. */
export const firstWords = (passage: string) => passage.split(/\s+/).slice(0, 8).join(' ')

export const byWords: Reply = (asked, response) =>
  saying(
    tonesOf(
      asked.mentions.map(({ id, passage }) => ({
        id,
        quote: firstWords(passage),
        tone: toneOf(passage),
      })),
    ),
  )(asked, response)

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

/** Starts a provider, which ends by `close`. */
async function startProvider(otherwise: Reply = byWords): Promise<Provider> {
  const asked: Asked[] = []
  let coming: Reply[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const user = (body.messages as { content: string }[])[1]?.content ?? ''
    const { mentions } = JSON.parse(user) as { mentions: AskedMention[] }
    const one = { mentions, body, authorization: request.headers.authorization }
    asked.push(one)
    const [reply = otherwise, ...rest] = coming
    coming = rest
    reply(one, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    next: (...replies) => {
      coming = [...replies]
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A provider for the tests of a file. */
export async function useProvider(): Promise<Provider> {
  const provider = await startProvider()
  afterAll(() => provider.close())
  return provider
}
