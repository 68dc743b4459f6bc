import { type Fields, SightlineError } from './problem.ts'
import type { Send } from './retries.ts'

/** How typed documents carry their types: those of GraphQL Code Generator, `TypedDocumentNode`, gql.tada. */
interface Typed<Data, Variables> {
  readonly __apiType?: ((variables: Variables) => Data) | undefined
}

/** A text, which may carry the types of its variables and of its data. */
export type TypedText<Data, Variables> = (string | string) & Typed<Data, Variables>

/** A text or a parsed document. */
export type Document<Data, Variables> = (string | object) & Typed<Data, Variables>

/** A query or mutation as text, with the types that you give. */
export const graphql = <Data, Variables = Record<string, never>>(
  text: string,
): TypedText<Data, Variables> => text

export interface QueryOptions {
  /** Lets a mutation be repeated: the service does it once. A new text for each change. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Variables may be left out where a document has none. */
type Given<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: QueryOptions]
    : [variables: Variables, options?: QueryOptions]

/** Asks a document. @throws {SightlineError} with the first of the errors */
export type Query = <Data, Variables>(
  document: Document<Data, Variables>,
  ...given: Given<Variables>
) => Promise<Data>

/** A page of a connection. */
export interface Connection<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}

interface GraphError {
  readonly message: string
  readonly extensions?: {
    readonly code?: string
    readonly howToFix?: string
    readonly requestId?: string
    readonly details?: { readonly fieldErrors?: Fields }
  }
}

/** One of `errors`, and all of them. */
export class GraphQLProblem extends SightlineError {
  readonly errors: readonly GraphError[]
  constructor(response: Response, errors: readonly GraphError[]) {
    const [first] = errors
    super(response, { ...first?.extensions, message: first?.message } as object)
    this.errors = errors
  }
}

/** `print` of any version of the package `graphql`. As a method, it may need a narrower type than `object`. */
interface Printing {
  print(document: object): string
}
export type Print = Printing['print']

/** How the client reaches the graph. */
export interface Graph {
  readonly url: string
  readonly headers: Record<string, string>
  readonly send: Send
  /** `print` of the package `graphql`, for parsed documents. */
  readonly print?: Print | undefined
}

function textOf(document: string | object, print: Graph['print']): string {
  if (typeof document === 'string' || document instanceof String) return String(document)
  if (print) return print(document)
  throw new TypeError(
    'A parsed document needs `print`: import it from `graphql`, and pass it to the client.',
  )
}

/** Whether a document changes something: mutations come with an idempotency key, or are not repeated. */
const isMutation = (text: string) => /^\s*mutation\b/m.test(text.replaceAll(/#.*$/gm, ''))

export function queriesOf({ url, headers, send, print }: Graph): Query {
  return async <Data, Variables>(
    document: Document<Data, Variables>,
    ...[variables, { idempotencyKey, signal } = {}]: Given<Variables>
  ) => {
    const query = textOf(document, print)
    const request = new Request(`${url}/graphql`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ query, variables }),
      signal: signal ?? null,
    })
    const response = await send(request, idempotencyKey !== undefined || !isMutation(query))
    const { data, errors, ...problem } = await response.json().catch(() => ({}))
    if (errors?.length > 0) throw new GraphQLProblem(response, errors)
    if (!response.ok || !data) throw new SightlineError(response, problem)
    return data as Data
  }
}

/** Each node of a connection. The document takes the cursor as `$after`. */
export async function* nodesOf<Data, Variables extends { after?: string | null }, Node>(
  query: Query,
  document: Document<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
): AsyncGenerator<Node, void, undefined> {
  let after: string | null | undefined
  do {
    // `Omit` has taken the cursor out of the type of the variables.
    const given = { ...variables, after: after ?? null } as unknown as Variables
    const data = await (
      query as (document: Document<Data, Variables>, given: Variables) => Promise<Data>
    )(document, given)
    const page = connectionOf(data)
    if (!page) return
    yield* page.nodes
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
  } while (after)
}
