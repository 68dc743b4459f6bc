import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@clickhouse/client'
import fastify from 'fastify'
import pg from 'pg'
import { hashApiKey } from '../../core/access.ts'
import { memoryLimiter } from '../../plugins/limiter.ts'
import type { BenchService } from '../service.ts'
import type { Sent } from './statements.ts'

/** Servers that `bench/doors.ts` measures beside our own. */
export interface Floor {
  readonly port: number
  stop(): Promise<unknown>
}

async function serve(listener: RequestListener): Promise<Floor> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** `node:http` and nothing else. */
export const bareServer = () =>
  serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 15 })
    response.end('{"status":"ok"}')
  })

/**
 * `node:http` with what each answer needs: the hash of the key, the count of the rate, the id of the request, the headers.
 * It keeps one reply, and looks nothing up.
 */
export function countingServer(etag: string): Promise<Floor> {
  const take = memoryLimiter()
  return serve(async (request, response) => {
    const taken = take(hashApiKey(request.headers.authorization ?? ''), 1)
    const { remaining, msBeforeReset } = taken instanceof Promise ? await taken : taken
    response.writeHead(request.headers['if-none-match'] === etag ? 304 : 500, {
      Vary: 'Authorization, Accept',
      'X-Request-Id': randomUUID(),
      RateLimit: `"default";r=${remaining};t=${Math.ceil(msBeforeReset / 1000)}`,
      'RateLimit-Policy': '"default";q=600;w=60',
      'X-RateLimit-Limit': '600',
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeReset) / 1000)),
      'Cache-Control': 'private, no-cache',
      ETag: etag,
    })
    response.end()
  })
}

const key = {
  name: 'key',
  text: 'SELECT id, "userId", scopes, "expiresAt", "revokedAt" FROM "ApiKey" WHERE hash = $1',
}
const project = {
  name: 'project',
  text: `SELECT p.id, p.name, p."isActive", m.role FROM "Project" p
           LEFT JOIN "Membership" m ON m."workspaceId" = p."workspaceId" AND m."userId" = $2
          WHERE p.id = $1`,
}

interface Asked {
  readonly Params: { readonly id: string }
  readonly Querystring: { readonly from?: string; readonly to?: string }
}

/** What the handler answers with, once it knows who asks. */
type Answer = (asked: Asked['Querystring']) => Promise<object>

/** Looks up key and project by one prepared statement each. */
export function openAccess(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  pool.on('error', () => undefined)
  return {
    /** The status of the answer: 200 where the key may read the project. */
    async statusOf(authorization = '', projectId: string): Promise<200 | 401 | 404> {
      const token = authorization.slice('Bearer '.length)
      const [found] = (await pool.query({ ...key, values: [hashApiKey(token)] })).rows
      if (!found || found.revokedAt || !found.scopes.includes('read')) return 401
      const [one] = (await pool.query({ ...project, values: [projectId, found.userId] })).rows
      return one?.role ? 200 : 404
    },
    end: () => pool.end(),
  }
}

/** The handler that an engineer writes first: Fastify, key and project, and then the rows of the report. */
async function fastifyServer(databaseUrl: string, answer: Answer): Promise<Floor> {
  const access = openAccess(databaseUrl)
  const app = fastify()
  app.get<Asked>('/api/mcp/projects/:id/sources/domains', async (request, reply) => {
    const status = await access.statusOf(request.headers.authorization, request.params.id)
    if (status !== 200) return reply.code(status).send()
    return answer(request.query)
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

/** The rows of the report come from memory. */
export const plainServer = (databaseUrl: string, body: object) =>
  fastifyServer(databaseUrl, async () => body)

/** The rows of the report come from the same statements as ours, by the client that ClickHouse publishes. */
export async function askingServer(
  { databaseUrl, warehouseUrl }: Pick<BenchService, 'databaseUrl' | 'warehouseUrl'>,
  [page, details]: readonly Sent[],
): Promise<Floor> {
  if (!page || !details) throw new Error('The report has other statements now.')
  const client = createClient({ url: warehouseUrl, use_multipart_params: true })
  const rowsOf = async ({ sql, params }: Sent) => {
    const result = await client.query({ query: sql, query_params: params, format: 'JSONEachRow' })
    return result.json<{ domain: string }>()
  }
  const server = await fastifyServer(databaseUrl, async (window) => {
    const sources = await rowsOf({ ...page, params: { ...page.params, ...window } })
    const domains = sources.map(({ domain }) => domain)
    const found = await rowsOf({ ...details, params: { ...details.params, ...window, domains } })
    const byDomain = new Map(found.map((row) => [row.domain, row]))
    return { sources: sources.map((row) => ({ ...row, ...byDomain.get(row.domain) })) }
  })
  return {
    port: server.port,
    async stop() {
      await server.stop()
      await client.close()
    },
  }
}
