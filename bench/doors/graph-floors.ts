import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { createSchema, createYoga } from 'graphql-yoga'
import mercurius, { type IResolvers } from 'mercurius'
import { type Floor, openAccess } from './floors.ts'

/** A hundred rows of twelve fields. */
export const domainsDocument = `query Domains($id: ID!) {
  project(id: $id) {
    sourceDomains(window: { days: 90 }, first: 100) {
      nodes {
        domain rank citedIn type citationCount pageCount citationRate citationsPerCitingAnswer citationsPerAnswer
        models topContentTypes subdomains
      }
    }
  }
}`

type Rows = readonly object[]
interface Asked {
  readonly authorization: string | undefined
}

const typeDefs = `
  input Window { days: Int }
  type Query { project(id: ID!): Project }
  type Project { sourceDomains(window: Window, first: Int): Domains! }
  type Domains { nodes: [Domain!]! }
  type Domain {
    domain: String! rank: Int! citedIn: Int! type: String! citationCount: Int! pageCount: Int! citationRate: Float!
    citationsPerCitingAnswer: Float! citationsPerAnswer: Float! models: [String!]! topContentTypes: [String!]!
    subdomains: [String!]!
  }`

/** Key and project are looked up as by `plainServer`, and the rows come from memory. */
function resolversOf(access: ReturnType<typeof openAccess>, rows: Rows) {
  return {
    Query: {
      async project(_root: unknown, { id }: { id: string }, { authorization }: Asked) {
        if ((await access.statusOf(authorization, id)) !== 200) throw new Error('not found')
        return {}
      },
    },
    Project: { sourceDomains: () => ({ nodes: rows }) },
  }
}

/** Yoga with its defaults. */
export async function yogaServer(databaseUrl: string, rows: Rows): Promise<Floor> {
  const access = openAccess(databaseUrl)
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers: resolversOf(access, rows) }),
    context: ({ request }): Asked => ({
      authorization: request.headers.get('authorization') ?? undefined,
    }),
    logging: false,
  })
  const server = createServer(yoga)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      await new Promise((resolve) => server.close(resolve))
      await access.end()
    },
  }
}

/** Mercurius, which compiles a document when it comes the second time. */
export async function mercuriusServer(databaseUrl: string, rows: Rows): Promise<Floor> {
  const access = openAccess(databaseUrl)
  const app = fastify()
  await app.register(mercurius, {
    schema: typeDefs,
    // Its types know no context but its own.
    resolvers: resolversOf(access, rows) as unknown as IResolvers,
    jit: 1,
    context: (request): Asked => ({ authorization: request.headers.authorization }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    port: (app.server.address() as AddressInfo).port,
    async stop() {
      await app.close()
      await access.end()
    },
  }
}
