import createClient, {
  type Client,
  type FetchOptions,
  type MaybeOptionalInit,
  type ParseAsResponse,
} from 'openapi-fetch'
import { SightlineError } from './problem.ts'
import type { Send } from './retries.ts'
import type { paths } from './schema.ts'

type Method = 'get' | 'post' | 'patch'

/** The paths of REST that have a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, unknown> ? Path : never
}[keyof paths]

/** The JSON of an operation that succeeds. */
type JsonOf<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 202)] extends { content: { 'application/json': infer Json } }
    ? Json
    : never
  : never

/** What a path answers to `get`: `Answer<'/api/mcp/projects'>`. */
export type Answer<Path extends PathOf<M>, M extends Method = 'get'> = JsonOf<paths[Path][M]>

/** Options may be left out where an operation needs none. */
type Given<Options> = undefined extends Options ? [options?: Options] : [options: Options]

/** Asks an operation, and gives its answer. @throws {SightlineError} with what the service refuses */
export type Call<M extends Method> = <
  Path extends PathOf<M>,
  Options extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...options: Given<Options>
) => Promise<ParseAsResponse<Answer<Path, M>, Options>>

/** The client of openapi-fetch, with the types of all operations. */
export type Rest = Client<paths, 'application/json' | 'application/problem+json'>

/** A read does no harm when it is repeated. A write with an idempotency key happens once. */
const mayBeRepeated = ({ method, headers }: Request) =>
  method === 'GET' || headers.has('Idempotency-Key')

export function openRest(baseUrl: string, headers: Record<string, string>, send: Send): Rest {
  const rest: Rest = createClient({
    baseUrl,
    headers,
    fetch: (request) => send(request, mayBeRepeated(request)),
    // Sightline takes lists separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
  rest.use({
    onRequest({ request }) {
      if (request.method !== 'GET' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', crypto.randomUUID())
      }
      return request
    },
  })
  return rest
}

interface Result {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/** The operations of one method, which throw what the service refuses. */
export function callsOf<M extends Method>(rest: Rest, method: M): Call<M> {
  // openapi-fetch computes the types of an operation only where it knows the path.
  const request = rest.request as unknown as (
    method: M,
    path: string,
    options?: FetchOptions<unknown>,
  ) => Promise<Result>
  return (async (path: string, options?: FetchOptions<unknown>) => {
    const { data, error, response } = await request(method, path, options)
    if (response.ok) return data
    throw new SightlineError(response, typeof error === 'object' && error ? error : {})
  }) as Call<M>
}
