import type { GraphQLSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { documentCaches } from './document-caches.ts'
import type { graphqlPlugins } from './index.ts'

/** The handler of `/graphql`. `Incoming` is what the server adds to each request. */
export function makeYoga<Incoming extends Record<string, unknown>>(
  schema: GraphQLSchema,
  plugins: ReturnType<typeof graphqlPlugins>,
) {
  return createYoga<Incoming>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins,
    graphiql: false,
    landingPage: false,
    batching: false,
    extraParamNames: ['documentId'],
    cors: false,
    // The stack renders and masks errors itself, with the request id.
    maskedErrors: false,
    logging: false,
    multipart: false,
    // A plugin limits bodies by operation.
    maxRequestBodySize: false,
    parserAndValidationCache: documentCaches(),
  })
}
