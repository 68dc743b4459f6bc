import type { MaybeOptionalInit } from 'openapi-fetch'
import {
  type Connection,
  type Document,
  nodesOf,
  type Print,
  type Query,
  queriesOf,
} from './graphql.ts'
import { type ListPath, pagesOf, type RowOf, type RowsKey } from './pages.ts'
import { type Answer, type Call, callsOf, openRest, type Rest } from './rest.ts'
import { type Retries, sendPatiently } from './retries.ts'
import type { paths } from './schema.ts'

export { GraphQLProblem, graphql, type QueryOptions, type TypedText } from './graphql.ts'
export { type Problem, SightlineError } from './problem.ts'
export type { Answer, PathOf } from './rest.ts'
export type { Retries } from './retries.ts'
export type { components, paths } from './schema.ts'

export interface SightlineOptions {
  /** Where the service is: `https://sightline.example.com`. */
  readonly url: string
  /** `sgl_…`. */
  readonly key: string
  readonly retries?: Retries | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** `print` of the package `graphql`. Documents that are texts need none. */
  readonly print?: Print | undefined
}

/** One service, asked with one key. */
export class Sightline {
  /** The client of openapi-fetch, whose `GET` and others give `{ data, error, response }` and throw nothing. */
  readonly rest: Rest
  /** Reads an operation of REST. */
  readonly get: Call<'get'>
  /** Changes something by REST. Each request has an `Idempotency-Key`, so that repeating it does no harm. */
  readonly post: Call<'post'>
  /** As `post`. */
  readonly patch: Call<'patch'>
  /** Asks a document of GraphQL. */
  readonly query: Query

  constructor({
    url,
    key,
    retries,
    print,
    fetch = (request) => globalThis.fetch(request),
  }: SightlineOptions) {
    const base = url.replace(/\/+$/, '')
    const headers = { Authorization: `Bearer ${key}` }
    const send = sendPatiently(fetch, retries)
    this.rest = openRest(base, headers, send)
    this.get = callsOf(this.rest, 'get')
    this.post = callsOf(this.rest, 'post')
    this.patch = callsOf(this.rest, 'patch')
    this.query = queriesOf({ url: base, headers, send, print })
  }

  /** Each page of a list of REST, as `get` answers with it. */
  pages<Path extends ListPath, Options extends MaybeOptionalInit<paths[Path], 'get'>>(
    path: Path,
    options: Options,
  ): AsyncGenerator<Answer<Path>, void, undefined> {
    return pagesOf(this.get, path, options)
  }

  /** Each row of a list of REST. `key` names the rows in a page: `prompts`. */
  async *rows<
    Path extends ListPath,
    Key extends RowsKey<Answer<Path>>,
    Options extends MaybeOptionalInit<paths[Path], 'get'>,
  >(
    path: Path,
    key: Key,
    options: Options,
  ): AsyncGenerator<RowOf<Answer<Path>[Key]>, void, undefined> {
    for await (const page of this.pages(path, options))
      yield* page[key] as RowOf<Answer<Path>[Key]>[]
  }

  /** Each node of a connection of GraphQL. The document takes the cursor as `$after`. */
  nodes<Data, Variables extends { after?: string | null }, Node>(
    document: Document<Data, Variables>,
    variables: Omit<Variables, 'after'>,
    connectionOf: (data: Data) => Connection<Node> | null | undefined,
  ): AsyncGenerator<Node, void, undefined> {
    return nodesOf(this.query, document, variables, connectionOf)
  }
}
