import type { IncomingMessage, ServerResponse } from 'node:http'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { GraphQLSchema } from 'graphql'
import { check } from '../../core/check.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { admit } from '../../schema/index.ts'
import type { Context } from '../../schema/kit/context.ts'
import { routes } from '../routes.ts'
import { readBody } from './body.ts'
import { csvOf } from './csv.ts'
import { type Operation, operationFor } from './operation.ts'
import { readArguments, readFormat } from './params.ts'
import { problemReply, type Reply, send } from './reply.ts'
import { type Body, run } from './run.ts'
import { answerWrite, type WriteParts } from './write.ts'

/** A request as the server hands it over: its id, and the headers that go onto whatever is answered. */
export interface RestVisit {
  readonly requestId: string
  readonly headers: Record<string, string>
}

/** A request that passed key and rate. */
export interface Admitted extends WriteParts {
  readonly context: Context
}

export interface RestParts<Visit extends RestVisit> {
  readonly schema: GraphQLSchema
  readonly baseUrl: string
  /** Key and rate, through the plugins of both doors. Throws what they refuse with. */
  open(visit: Visit): Promise<Admitted>
  /** What to tell of an error. */
  faultOf(error: unknown, requestId: string): Fault
}

const methods: readonly HTTPMethod[] = ['GET', 'POST', 'PATCH']

function router(schema: GraphQLSchema) {
  const table = findMyWay<never>({ maxParamLength: 2048 })
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    table.on(route.method, path, () => undefined, operationFor(schema, route))
  }
  return table
}

type Router = ReturnType<typeof router>

interface Match {
  operation: Operation
  path: Record<string, string | undefined>
}

/** The operation at a path. Throws 404 for an unknown path, 405 for a known one with another method. */
function match(table: Router, method: string, path: string): Match {
  const asked = method === 'HEAD' ? 'GET' : method
  const found = table.find(asked as HTTPMethod, path)
  if (found?.store) return { operation: found.store as Operation, path: found.params }
  const allowed = methods.filter((other) => table.find(other, path)?.store)
  if (allowed.length === 0) throw notFound()
  const list = allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ')
  throw new Fault('method_not_allowed', `${method} is not allowed here, ${list} is.`, {
    headers: { Allow: list },
  })
}

/** Where the next page of a CSV export is, as a link relation of RFC 8288. */
function nextLink(url: URL, body: Body, rows: number): string | undefined {
  const block = body.pagination as { hasMore: boolean; nextOffset: number } | undefined
  const next = new URL(url)
  if (!(block?.hasMore ?? body.hasMore)) return undefined
  if (url.searchParams.has('offset') || block) {
    const offset = block?.nextOffset ?? Number(url.searchParams.get('offset')) + rows
    next.searchParams.set('offset', String(offset))
  } else {
    next.searchParams.set('cursor', String(body.nextCursor))
  }
  return `<${next.pathname}${next.search}>; rel="next"`
}

function csvReply({ route, columns }: Operation, url: URL, body: Body): Reply {
  const rows = body[route.csv ?? ''] as Body[]
  const link = nextLink(url, body, rows.length)
  return {
    status: 200,
    contentType: 'text/csv; charset=utf-8',
    body: csvOf(columns, rows),
    headers: {
      'Content-Disposition': `attachment; filename="${route.operationId}.csv"`,
      ...(link ? { Link: link } : {}),
    },
  }
}

function jsonReply({ route }: Operation, body: Body): Reply {
  const reply = { status: 200, contentType: 'application/json', body: JSON.stringify(body) }
  if (route.etagOf === undefined) return reply
  const { currentRevision } = body[route.etagOf] as { currentRevision: number }
  return { ...reply, headers: { ETag: `"${currentRevision}"` } }
}

/** Match, project and scope, arguments, then the operation; in this order, so that an error tells no more than it may. */
async function answer(
  table: Router,
  admitted: Admitted,
  request: IncomingMessage,
  url: URL,
): Promise<Reply> {
  const { pathname } = url
  const { operation, path } = match(table, request.method ?? 'GET', pathname)
  await admit(admitted.context, operation.access, path.projectId)
  if (operation.isWrite) {
    const asked = { request, operation, pathname, path }
    return { contentType: 'application/json', ...(await answerWrite(admitted, asked)) }
  }
  const format = readFormat(url.searchParams, operation.route.csv !== undefined)
  const variables = operation.route.reads
    ? { ...check(operation.body, await readBody(request)), ...path }
    : readArguments(operation.field.args, path, url.searchParams)
  const body = await run(operation, admitted.execute, variables)
  return format === 'csv' ? csvReply(operation, url, body) : jsonReply(operation, body)
}

/** Serves the REST surface. */
export function restHandler<Visit extends RestVisit>(parts: RestParts<Visit>) {
  const table = router(parts.schema)
  return async (request: IncomingMessage, response: ServerResponse, visit: Visit) => {
    let reply: Reply
    try {
      const url = new URL(request.url ?? '/', parts.baseUrl)
      reply = await answer(table, await parts.open(visit), request, url)
    } catch (error) {
      const { requestId } = visit
      reply = problemReply(parts.faultOf(error, requestId), { requestId, baseUrl: parts.baseUrl })
    }
    send(request, response, reply, visit.headers)
  }
}
