import { createRequestState, type RequestState } from '../plugins/request-state.ts'
import type { TypedDocumentString } from './documents.ts'

/** What the graph refused. Its text goes to the model, which can act on it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** The scope or capability that the key lacks. */
  grant?: string

  constructor(code: string, message: string, howToFix?: string) {
    super([`${code}: ${message}`, howToFix].filter(Boolean).join(' '))
  }
}

/** An argument that a tool cannot use. */
export const wrongArgument = (message: string, howToFix?: string) =>
  new Refused('invalid_argument', message, howToFix)

/** A request of the tool server whose key is checked. */
export interface Caller
  extends Pick<
    RequestState,
    'requestId' | 'address' | 'authentication' | 'keyHash' | 'rateBucket'
  > {
  /** Ends the statements of a request whose client has gone. */
  readonly signal: AbortSignal
  /** The scope or capability that a tool needs and the key lacks: the client may ask its person for it. */
  missingGrant?: string
}

/** Sends a request of GraphQL through the plugins of `/graphql`, inside the process. */
export type Graph = (request: Request, state: RequestState) => Response | Promise<Response>

export interface GraphReply {
  readonly data?: unknown
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly extensions?: {
      readonly code?: string
      readonly howToFix?: string
      readonly details?: { readonly fieldErrors?: Readonly<Record<string, readonly string[]>> }
    }
  }[]
  readonly extensions?: {
    readonly notices?: readonly { readonly message: string }[]
    readonly cost?: {
      readonly requested: number
      readonly limit: number
      readonly remaining: number | null
      readonly costliest: readonly object[]
    }
  }
}

export interface Asked {
  readonly reply: GraphReply
  /** What the document cost of the budget of the key. */
  readonly cost: number
}

/** The only way of the tools to data: as a client of the graph, with the rights and the budget of the caller. */
export function asking(graph: Graph, caller: Caller) {
  const { authentication, keyHash, rateBucket, signal, requestId, address } = caller
  async function send(query: string, variables: object, headers = {}): Promise<Asked> {
    const state = createRequestState({
      requestId,
      address,
      authorization: undefined,
      idempotencyKeys: [],
      ifMatch: [],
    })
    const body = Buffer.from(JSON.stringify({ query, variables }))
    Object.assign(state, { authentication, keyHash, rateBucket, body: Promise.resolve(body) })
    const request = new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      signal,
    })
    const response = await graph(request, state)
    const reply = (await response.json()) as GraphReply
    return { reply, cost: Number(state.headers['X-Query-Cost'] ?? 1) }
  }

  /** What the graph said beside the answers, such as that a window was cut. */
  const notices = new Set<string>()

  /** @throws {Refused} with the first error of the answer */
  async function ask<R, V extends object>(
    document: TypedDocumentString<R, V>,
    variables: V,
  ): Promise<R> {
    const { reply } = await send(document.toString(), variables)
    const [error] = reply.errors ?? []
    if (error) throw refusalOf(error, inOurWords)
    for (const { message } of reply.extensions?.notices ?? []) notices.add(message)
    return reply.data as R
  }
  return { ask, send, notices }
}

export type Asking = ReturnType<typeof asking>
export type Ask = Asking['ask']

/** Arguments of the tools by the places of the graph that they fill. */
const argumentNames: Readonly<Record<string, string>> = {
  'filter.citedDomains': 'cites',
  'filter.citedUrls': 'cites',
  'filter.brands.all': 'brand',
  'filter.promptId': 'prompt',
  'filter.topicIds': 'topics',
  after: 'cursor',
  first: 'limit',
}

/** A text that names what the caller of a tool gave, which knows nothing of the places of the graph. */
const inOurWords = (text: string) =>
  text.replace(/`((?:filter\.|window\.)?[\w.]+?)(?:\.\d+)?`/g, (_whole, place: string) => {
    const name = argumentNames[place] ?? place.replace(/^(?:filter|window)\./, '')
    return `\`${name}\``
  })

/** The refusal for an error of the graph, with the fields that its `details` name: a model sees this text alone. */
export function refusalOf(
  { message, extensions }: NonNullable<GraphReply['errors']>[number],
  said = (text: string) => text,
) {
  const { code = 'internal_error', howToFix, details } = extensions ?? {}
  const wrong = Object.entries(details?.fieldErrors ?? {})
    .flatMap(([field, texts]) => texts.map((text) => `\`${field}\` ${text}`))
    .filter((text) => !message.includes(text))
  const isAboutDetails = howToFix?.includes('`details`')
  const advice = isAboutDetails ? wrong.map((text) => `${text}.`).join(' ') : howToFix
  return new Refused(code, said(message), advice && said(advice))
}
