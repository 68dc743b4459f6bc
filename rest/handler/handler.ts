import type { IncomingMessage } from 'node:http'
import type { Plugin } from '@envelop/core'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { GraphQLSchema } from 'graphql'
import { check } from '../../core/check.ts'
import { Fault, methodNotAllowed, notFound } from '../../core/errors.ts'
import type { Services } from '../../schema/kit/context.ts'
import { routes } from '../routes.ts'
import { addressOf } from './address.ts'
import { readBody } from './body.ts'
import { csvOf } from './csv.ts'
import { createEngine, type OpenedRequest } from './engine.ts'
import { type Operation, operationFor } from './operation.ts'
import { readArguments, readFormat } from './params.ts'
import { type Reply, type ResponderParts, type RestState, responder } from './reply.ts'
import { type Body, run } from './run.ts'
import { answerWrite } from './write.ts'

export interface RestParts extends ResponderParts {
  readonly schema: GraphQLSchema
  /** The Envelop plugins of REST: key, rate, authorization, idempotency. */
  readonly plugins: readonly Plugin[]
  readonly services: Services
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
  readonly operation: Operation
  readonly path: Readonly<Record<string, string | undefined>>
}

/** The operation at a path, or the fault: 404 for an unknown path, 405 for another method. */
function match(table: Router, method: string, path: string): Match | Fault {
  const asked = method === 'HEAD' ? 'GET' : method
  const found = table.find(asked as HTTPMethod, path)
  if (found?.store) return { operation: found.store as Operation, path: found.params }
  const allowed = methods.filter((other) => table.find(other, path)?.store)
  if (allowed.length === 0) return notFound()
  const list = allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ')
  return methodNotAllowed(method, list)
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

interface Asked extends Match {
  readonly request: IncomingMessage
  readonly url: URL
  readonly state: RestState
}

/** Arguments, then the operation. Key, rate, project and scope are checked before. */
async function answer(opened: OpenedRequest, asked: Asked): Promise<Reply> {
  const { operation, path, request, url, state } = asked
  if (operation.isWrite) {
    const setFingerprint = (parts: readonly unknown[]) => {
      state.fingerprintOf = parts
    }
    const write = { request, operation, pathname: url.pathname, path, setFingerprint }
    return { contentType: 'application/json', ...(await answerWrite(opened, write)) }
  }
  const format = readFormat(url.searchParams, operation.route.csv !== undefined)
  const variables = operation.route.reads
    ? { ...check(operation.body, await readBody(request)), ...path }
    : readArguments(operation.field.args, path, url.searchParams)
  const body = await run(operation, opened, variables)
  return format === 'csv' ? csvReply(operation, url, body) : jsonReply(operation, body)
}

/** Serves the REST surface. */
export function restHandler({ schema, plugins, services, baseUrl, faultOf }: RestParts) {
  const table = router(schema)
  const open = createEngine(schema, plugins)

  /** The contract's order: key and rate, then 404 or 405 of the path, project and scope, arguments. */
  async function replyTo(request: IncomingMessage, state: RestState): Promise<Reply> {
    const url = addressOf(request)
    const found = match(table, request.method ?? 'GET', url.pathname)
    const initial = { requestState: state, services }
    if (found instanceof Fault) {
      await open(initial)
      throw found
    }
    const { operation, path } = found
    state.operation = operation.route.operationId
    const target = { rule: operation.access, subject: path.projectId }
    return answer(await open({ ...initial, operation, target }), { ...found, request, url, state })
  }

  return responder({ baseUrl, faultOf }, replyTo)
}
