import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { createParser } from 'eventsource-parser'

/** Where calls go, and as whom. */
export interface Connection {
  readonly url: string
  readonly key: string
}

export interface RelayParts {
  readonly input: Readable
  readonly output: Writable
  /** Finds the service, at each message until it is found. @throws with a text for the person in front of the client */
  readonly connect: () => Promise<Connection>
  /** What the person can do where nothing answers. */
  readonly whenDown: string
}

type Id = string | number

/** A message of JSON-RPC, as far as the relay reads it. */
interface Message {
  readonly id?: Id
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly uri?: string
    readonly requestId?: Id
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

interface Reply {
  readonly result?: { readonly protocolVersion?: unknown }
}

/** The tools of a service, whose address may be that of the tools already. */
const toolsAt = (url: string) => `${url.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** What HTTP says in headers of a message, which must equal what the message says. */
function headersOf({ method, params }: Message, agreed: string | undefined) {
  const version = params?._meta?.[versionKey] ?? agreed
  const name = params?.name ?? params?.uri
  return {
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    ...(method && { 'mcp-method': method }),
    // A name may hold what no header may.
    ...(name && /^[\x20-\x7e]+$/.test(name) && { 'mcp-name': name }),
  }
}

const errorOf = (id: Id, message: string, code = -32_000) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** The text of a reply that is no JSON-RPC: a problem of the service, or of something before it. */
function problemOf(status: number, text: string): string {
  try {
    const { message, howToFix } = JSON.parse(text) as { message?: string; howToFix?: string }
    if (message) return [message, howToFix].filter(Boolean).join(' ')
  } catch {
    // A proxy answers with a page.
  }
  return `The service answered with HTTP ${status}.`
}

/** The messages of a stream of events, in which the service answers clients of before. */
function eventsOf(text: string): string[] {
  const found: string[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      found.push(data)
    },
  })
  parser.feed(text)
  return found
}

/** A call that could not reach the service is the answer of a tool, so that the model can say what to do. */
const unreached = ({ id = 0, method }: Message, text: string) =>
  method === 'tools/call'
    ? { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true } }
    : errorOf(id, text)

/**
 * Passes messages of a client on standard input to `POST /mcp`, and its replies back. There are no tools of its own. Only
 * messages go to `output`.
 */
export async function relay({ input, output, connect, whenDown }: RelayParts): Promise<void> {
  /** The version that a client of before agreed on when it began. */
  let agreed: string | undefined
  const running = new Map<Id, AbortController>()

  const send = (message: object) => {
    output.write(`${JSON.stringify(message)}\n`)
  }

  async function answer(message: Message, line: string, signal: AbortSignal): Promise<object[]> {
    const { url, key } = await connect()
    const response = await fetch(toolsAt(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
        ...headersOf(message, agreed),
      },
      body: line,
      signal,
    })
    const text = await response.text()
    if (message.id === undefined || text === '') return []
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const bodies = isStream ? eventsOf(text) : text.includes('"jsonrpc"') ? [text] : []
    if (bodies.length === 0) return [errorOf(message.id, problemOf(response.status, text))]
    const replies = bodies.map((body) => JSON.parse(body) as Reply)
    const [version] = replies.flatMap(({ result }) => result?.protocolVersion ?? [])
    if (message.method === 'initialize' && typeof version === 'string') agreed = version
    return replies
  }

  async function pass(line: string): Promise<void> {
    let message: Message
    try {
      message = JSON.parse(line) as Message
    } catch {
      send({ ...errorOf(0, 'The line is not JSON.', -32_700), id: null })
      return
    }
    const { id, method, params } = message
    if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
      running.get(params.requestId)?.abort()
      return
    }
    const control = new AbortController()
    if (id !== undefined) running.set(id, control)
    try {
      for (const reply of await answer(message, line, control.signal)) send(reply)
    } catch (error) {
      if (id === undefined || control.signal.aborted) return
      const isDown = error instanceof TypeError
      const text = isDown ? whenDown : (error as Error).message
      send(unreached(message, text))
    } finally {
      if (id !== undefined) running.delete(id)
    }
  }

  const passing = new Set<Promise<void>>()
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const one = pass(line).finally(() => passing.delete(one))
    passing.add(one)
    // The version that is agreed on goes with all that follows.
    if (line.includes('"initialize"')) await one
  }
  await Promise.all(passing)
}
