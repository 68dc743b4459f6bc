import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { AskedProvider } from '../../../core/collecting/providers/request.ts'
import type { ServiceName } from '../../../core/collecting/providers/surfaces/names.ts'
import { page, readPage } from './pages.ts'
import { accounts, dataForSeo, serpApi } from './search-bodies.ts'

/** A question as a provider got it. */
export interface Question {
  readonly provider: ModelProvider
  readonly prompt: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingMessage['headers']
  readonly path: string
  /** Parameters of the address, as SerpApi takes them. */
  readonly query: Readonly<Record<string, string>>
}

export type Reply = (question: Question, response: ServerResponse) => void | Promise<void>

/** All providers on the loopback interface, each below its own name. */
export interface Providers {
  readonly port: number
  /** ALLOW_PRIVATE_HOSTS that reaches them. */
  readonly hosts: string
  baseUrl(provider: AskedProvider): string
  readonly questions: Question[]
  /** Replies to the next questions, each once. Then `otherwise` replies. */
  next(...replies: readonly Reply[]): void
  /** Replies to all questions from now on. */
  always(reply: Reply): void
}

/** A provider that answers at once. */
export type ModelProvider = Exclude<AskedProvider, ServiceName>

/** A body of each provider: it cites one page, has read one more where its API says so, and searched once. */
export const bodies: Readonly<Record<ModelProvider, (text: string) => object>> = {
  openai: (text) => ({
    object: 'response',
    model: 'gpt-5-mini',
    status: 'completed',
    output: [
      {
        type: 'web_search_call',
        action: { query: 'anvils', sources: [{ url: page.url }, { url: readPage.url }] },
      },
      {
        type: 'message',
        content: [{ type: 'output_text', text, annotations: [{ type: 'url_citation', ...page }] }],
      },
    ],
    usage: { input_tokens: 1000, output_tokens: 100 },
  }),
  anthropic: (text) => ({
    type: 'message',
    model: 'claude-sonnet-4-5',
    stop_reason: 'end_turn',
    content: [
      { type: 'server_tool_use', name: 'web_search', input: { query: 'anvils' } },
      { type: 'web_search_tool_result', content: [page, readPage] },
      { type: 'text', text, citations: [page] },
    ],
    usage: {
      input_tokens: 1000,
      output_tokens: 100,
      server_tool_use: { web_search_requests: 1 },
    },
  }),
  gemini: (text) => ({
    candidates: [
      {
        content: { parts: [{ text }] },
        finishReason: 'STOP',
        groundingMetadata: {
          webSearchQueries: ['anvils'],
          groundingChunks: [
            { web: { uri: page.url, title: page.title } },
            { web: { uri: readPage.url, title: readPage.title } },
          ],
          groundingSupports: [{ groundingChunkIndices: [0] }],
        },
      },
    ],
    modelVersion: 'gemini-2.5-flash',
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100 },
  }),
  perplexity: (text) => ({
    object: 'chat.completion',
    model: 'sonar',
    choices: [{ finish_reason: 'stop', message: { content: text } }],
    citations: [page.url],
    search_results: [page, readPage],
    usage: { prompt_tokens: 1000, completion_tokens: 100, cost: { total_cost: 0.006 } },
  }),
  xai: (text) => ({
    object: 'response',
    model: 'grok-4-fast',
    status: 'completed',
    output: [
      {
        type: 'message',
        content: [{ type: 'output_text', text, annotations: [{ type: 'url_citation', ...page }] }],
      },
    ],
    usage: { input_tokens: 1000, output_tokens: 100, cost_in_usd_ticks: 50_000_000 },
  }),
  openrouter: (text) => ({
    object: 'chat.completion',
    model: 'openai/gpt-5-mini',
    choices: [
      {
        finish_reason: 'stop',
        message: { content: text, annotations: [{ type: 'url_citation', url_citation: page }] },
      },
    ],
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 100,
      cost: 0.004,
      server_tool_use: { web_search_requests: 1 },
    },
  }),
  mistral: (text) => ({
    object: 'conversation.response',
    conversation_id: 'conv_1',
    outputs: [
      { type: 'tool.execution', name: 'web_search', arguments: '{"query":"anvils"}' },
      {
        type: 'message.output',
        model: 'mistral-medium-latest',
        content: [
          { type: 'text', text },
          { type: 'tool_reference', tool: 'web_search', ...page },
        ],
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 100,
      connector_tokens: 900,
      connectors: { web_search: 1 },
    },
  }),
  compatible: (text) => ({
    object: 'chat.completion',
    model: 'openai/gpt-5-mini:online',
    choices: [
      {
        finish_reason: 'stop',
        message: { content: text, annotations: [{ type: 'url_citation', url_citation: page }] },
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 100, cost: 0.004 },
  }),
  dataforseo: dataForSeo,
  serpapi: serpApi,
}

const json = { 'content-type': 'application/json' }

/** The text as a body of the provider that was asked. A question about the account is answered with the account. */
export const saying =
  (text: string): Reply =>
  ({ provider, path }, response) => {
    response.writeHead(200, json).end(JSON.stringify(accounts[path] ?? bodies[provider](text)))
  }

/** A body as it was recorded. */
export const sending =
  (body: string, status = 200): Reply =>
  (_question, response) => {
    response.writeHead(status, json).end(body)
  }

/** An error, in words that repeat the key, as some providers do. */
export const refusing =
  (status: number, headers: Record<string, string> = {}, code = 'a_code'): Reply =>
  ({ headers: sent, query }, response) => {
    const key = sent.authorization ?? sent['x-api-key'] ?? sent['x-goog-api-key'] ?? query.api_key
    const message = `Wrong: ${key}`
    response.writeHead(status, { ...json, ...headers })
    response.end(JSON.stringify({ error: { message, code } }))
  }

/** A body that ends in the middle of the connection. */
export const cutOff: Reply = ({ provider }, response) => {
  const body = JSON.stringify(bodies[provider]('Lost.'))
  response.writeHead(200, { ...json, 'content-length': String(body.length) })
  response.write(body.slice(0, 40), () => response.destroy())
}

export const slowly =
  (ms: number, reply: Reply): Reply =>
  async (question, response) => {
    await sleep(ms, undefined, { ref: false })
    if (!response.destroyed) await reply(question, response)
  }

function promptIn(body: Record<string, unknown>, query: Record<string, string> = {}): string {
  const text = body.input ?? body.inputs ?? body.keyword ?? query.q
  if (typeof text === 'string') return text
  const { messages, contents } = body as {
    messages?: { content: string }[]
    contents?: { parts: { text: string }[] }[]
  }
  return messages?.[0]?.content ?? contents?.[0]?.parts[0]?.text ?? ''
}

const host = 'providers.test'

/** The host of Gemini's redirects leads to one page, and knows no page of a path that ends with `gone`. */
export const redirect = {
  host: 'vertexaisearch.cloud.google.com',
  path: '/grounding-api-redirect/',
  target: 'https://acme.com/behind',
}

export async function startProviders(): Promise<Providers & { close(): void }> {
  const questions: Question[] = []
  let coming: Reply[] = []
  let otherwise: Reply = saying('Acme is great.')
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith(redirect.path)) {
      const location = request.url.endsWith('/gone') ? {} : { location: redirect.target }
      response.writeHead('location' in location ? 302 : 404, location).end()
      return
    }
    let text = ''
    for await (const chunk of request) text += chunk
    // DataForSEO takes a list of one task.
    const [body = {}] = [JSON.parse(text || '{}')].flat() as Record<string, unknown>[]
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://providers.test')
    const [, name = '', ...rest] = pathname.split('/')
    const query = Object.fromEntries(searchParams)
    const question = {
      provider: name as ModelProvider,
      prompt: promptIn(body, query),
      body,
      query,
      headers: request.headers,
      path: rest.join('/'),
    }
    questions.push(question)
    const [reply = otherwise, ...later] = coming
    coming = later
    await reply(question, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    hosts: `${host}:80=127.0.0.1:${port},${redirect.host}:80=127.0.0.1:${port}`,
    baseUrl: (provider) => `http://${host}/${provider}`,
    questions,
    next: (...replies) => {
      coming = [...replies]
    },
    always: (reply) => {
      otherwise = reply
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The providers for the tests of a file. */
export async function useProviders(): Promise<Providers> {
  const providers = await startProviders()
  afterAll(() => providers.close())
  return providers
}
