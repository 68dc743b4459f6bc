import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { TypedDocumentString } from '../documents.ts'
import { askError } from './problem.ts'
import { signedOut } from './session.ts'

interface GraphReply<R> {
  readonly data?: R | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions?: { readonly code?: string }
  }[]
}

const longestWaitSeconds = 60

/** Codes of a field that is null because the project has no source of its data. Pages say so in its place. */
const absences = new Set(['traffic_not_connected', 'gsc_not_connected', 'ga4_not_connected'])

/** Sends a question again after the pause that the service asks for, once. */
async function send(init: RequestInit): Promise<Response> {
  const response = await fetch('/graphql', init)
  const seconds = Number(response.headers.get('retry-after'))
  if (response.status !== 429 || !(seconds > 0 && seconds <= longestWaitSeconds)) return response
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return fetch('/graphql', init)
}

/**
 * Asks the graph with the session of the browser. A session that is over leads to the sign-in.
 * @throws {AskError} with the first error of the answer
 */
export async function ask<R, V>(
  document: TypedDocumentString<R, V>,
  variables: V,
  init: Pick<RequestInit, 'signal' | 'keepalive'> = {},
): Promise<R> {
  const response = await send({
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    ...init,
  })
  // What stands before the service, such as a proxy, may answer with a page.
  const reply: GraphReply<R> = await response.json().catch(() => ({}))
  const { data, errors = [] } = reply
  const [error] = errors.filter(({ extensions }) => !absences.has(extensions?.code ?? ''))
  const code = error?.extensions?.code ?? (response.status === 429 ? 'rate_limited' : '')
  if (response.status === 401 || code === 'unauthorized') signedOut()
  if (error || !data) throw askError(code)
  return data
}

interface QuestionOptions<R> {
  /** False where the page shows something else. */
  readonly enabled?: boolean
  /** Milliseconds until the question is asked again, while the answer is of work in progress. */
  refetchInterval?(answer: R): number | false
}

/** Asks a question whose answer a page is about to need. */
export type Prefetch = (queries: QueryClient) => void

const questionOf = <R, V>(document: TypedDocumentString<R, V>, variables: V) => ({
  queryKey: [document.toString(), variables],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(document, variables, { signal }),
})

/** Asks before the page that needs the answer is drawn, so that neither waits for the other. */
export const prefetch =
  <R, V>(document: TypedDocumentString<R, V>, variables: V): Prefetch =>
  (queries) =>
    void queries.prefetchQuery(questionOf(document, variables))

export function useQuestion<R, V>(
  document: TypedDocumentString<R, V>,
  variables: V,
  { enabled = true, refetchInterval = () => false }: QuestionOptions<R> = {},
): UseQueryResult<R, Error> {
  return useQuery({
    enabled,
    refetchInterval: ({ state }) => state.data !== undefined && refetchInterval(state.data as R),
    ...questionOf(document, variables),
  })
}

/** The address of GraphiQL with a query of the page and its variables. */
export function graphiqlAddress<R, V extends object>(
  document: TypedDocumentString<R, V>,
  variables: V,
): string {
  const asked = new URLSearchParams({
    query: document.toString().trim(),
    variables: JSON.stringify(variables, null, 2),
  })
  return `/graphql?${asked}`
}
