import type { IncomingMessage } from 'node:http'
import type { Plugin } from '@envelop/core'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { GraphQLSchema } from 'graphql'
import type { Principal } from '../../core/access.ts'
import { check } from '../../core/check.ts'
import { Fault, methodNotAllowed, notFound } from '../../core/errors.ts'
import { authorizeEarly } from '../../schema/kit/authorize.ts'
import type { Context, Passed, Services } from '../../schema/kit/context.ts'
import { routes } from '../routes.ts'
import { addressOf } from './address.ts'
import { readBody } from './body.ts'
import { isOver, refuseLarger, shortened } from './budget.ts'
import { csvOf } from './csv.ts'
import { deprecationOf } from './deprecation.ts'
import { contextOf, createEngine, type Execute } from './engine.ts'
import { ignoredParameters } from './ignored.ts'
import { type Operation, operationFor } from './operation.ts'
import { readArguments, readFormat } from './params.ts'
import { type Reply, type ResponderParts, type RestState, responder } from './reply.ts'
import { isOfOneProject, type Replies } from './reply-cache.ts'
import { type Body, run } from './run.ts'
import { answerWrite } from './write.ts'

export interface RestParts extends ResponderParts {
  readonly schema: GraphQLSchema
  /** The Envelop plugins of REST: key, rate, authorization, idempotency. */
  readonly plugins: readonly Plugin[]
  readonly services: Services
  /** Counts a request, and checks its key. */
  readonly admit: (state: RestState) => Promise<Principal>
  /** Absent: no reply is kept. */
  readonly replies?: Replies | undefined
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

/** What the table has at a path. It matches an empty segment too, which names nothing. */
function find(table: Router, method: HTTPMethod, path: string): Match | null {
  const found = table.find(method, path)
  if (!found?.store || Object.values(found.params).includes('')) return null
  return { operation: found.store as Operation, path: found.params }
}

/** The operation at a path, or the fault: 404 for an unknown path, 405 for another method. */
function match(table: Router, method: string, path: string): Match | Fault {
  const asked = method === 'HEAD' ? 'GET' : method
  const found = find(table, asked as HTTPMethod, path)
  if (found) return found
  const allowed = methods.filter((other) => find(table, other, path))
  if (allowed.length === 0) return notFound()
  const list = allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ')
  return methodNotAllowed(method, list)
}

/** The number of all rows, of a list without `pagination`. */
function totalIn({ countedBy }: Operation['route'], body: Body): number | undefined {
  if (!countedBy) return undefined
  const [object, count] = countedBy
  return (body[object] as Record<string, number>)[count]
}

/** Where the next page of a list is, as a link relation of RFC 8288. */
function nextLink({ route }: Operation, url: URL, body: Body, rows: number): string | undefined {
  const block = body.pagination as { hasMore: boolean; nextOffset: number } | undefined
  const next = new URL(url)
  const offset = block?.nextOffset ?? Number(url.searchParams.get('offset')) + rows
  const total = totalIn(route, body)
  const isCounted = total !== undefined
  const hasMore = isCounted ? rows > 0 && offset < total : (block?.hasMore ?? body.hasMore)
  if (!hasMore) return undefined
  if (url.searchParams.has('offset') || block || isCounted) {
    next.searchParams.set('offset', String(offset))
  } else {
    next.searchParams.set('cursor', String(body.nextCursor))
  }
  return `<${next.pathname}${next.search}>; rel="next"`
}

/** The address of the same as CSV, also where `Accept` asked for it. */
function asCsv(url: URL): URL {
  const csv = new URL(url)
  csv.searchParams.set('format', 'csv')
  return csv
}

const linkOf = (link: string | undefined) => (link ? { Link: link } : {})

function csvReply(operation: Operation, url: URL, body: Body): Reply {
  const { route, columns } = operation
  const rows = body[route.csv ?? ''] as Body[]
  return {
    status: 200,
    contentType: 'text/csv; charset=utf-8',
    body: csvOf(columns, rows),
    headers: {
      'Content-Disposition': `attachment; filename="${route.operationId}.csv"`,
      ...linkOf(nextLink(operation, asCsv(url), body, rows.length)),
    },
  }
}

function jsonReply(operation: Operation, url: URL, body: Body): Reply {
  const { route } = operation
  const reply = { status: 200, contentType: 'application/json', body: JSON.stringify(body) }
  if (route.countedBy) {
    const rows = body[route.field] as readonly unknown[]
    return { ...reply, headers: linkOf(nextLink(operation, url, body, rows.length)) }
  }
  if (route.etagOf === undefined) return reply
  const { currentRevision } = body[route.etagOf] as { currentRevision: number }
  return { ...reply, headers: { ETag: `"${currentRevision}"` } }
}

interface ReadRequest extends Match {
  readonly request: IncomingMessage
  readonly url: URL
}

/** In the body of a read, null is as good as absent, as it is in GraphQL. */
function withoutNulls(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

/**
 * Answers a read, within the bytes of a response: a page of a list has as many rows fewer.
 * @throws {Fault} of the arguments and the operation; `query_too_large` for what is no page and larger
 */
async function answerRead(
  execute: Execute,
  context: Context,
  { request, operation, path, url }: ReadRequest,
): Promise<Reply> {
  const { route, field } = operation
  const hasCsv = route.csv !== undefined
  const format = readFormat(url.searchParams, hasCsv, request.headers.accept)
  const variables = route.reads
    ? { ...check(operation.body, withoutNulls(await readBody(request))), ...path }
    : readArguments(field.args, path, url.searchParams)
  const made = format === 'csv' ? csvReply : jsonReply
  const replyWith = (body: Body): Reply => ({
    ...made(operation, url, body),
    ...(hasCsv && { vary: 'Accept' }),
  })
  const { maxResponseBytes } = context.services
  const body = await run(execute, operation, variables, context)
  const whole = replyWith(body)
  if (!isOver(String(whole.body), maxResponseBytes)) return whole
  const shorter = shortened(body, maxResponseBytes)
  if (!shorter) return { ...whole, body: refuseLarger(String(whole.body), maxResponseBytes) }
  if (shorter.isWhole) return replyWith(shorter.body)
  return replyWith(await run(execute, operation, { ...variables, limit: shorter.rows }, context))
}

/** All of a request that a cached reply depends on; undefined for an operation whose replies are not cached. */
function targetOf({ request, operation, url }: ReadRequest): string | undefined {
  if (!isOfOneProject(operation)) return undefined
  // `Accept` may choose a format.
  const { accept = '' } = request.headers
  return `${url.href} ${operation.route.csv === undefined ? '' : accept}`
}

/** Serves the REST surface. */
export function restHandler(parts: RestParts) {
  const { schema, plugins, services, admit, replies, baseUrl, faultOf } = parts
  const table = router(schema)
  const execute = createEngine(schema, plugins)

  /** The contract's order: key and rate, then 404 or 405 of the path, project and scope, arguments. */
  async function replyTo(request: IncomingMessage, state: RestState): Promise<Reply> {
    const url = addressOf(request)
    const found = match(table, request.method ?? 'GET', url.pathname)
    if (found instanceof Fault) {
      await admit(state)
      throw found
    }
    const { operation, path } = found
    state.operation = operation.route.operationId
    Object.assign(
      state.headers,
      ignoredParameters(operation, url.searchParams),
      deprecationOf(operation.route),
    )
    const principal = await admit(state)
    const client = { principal, services }
    const project = await authorizeEarly(client, operation.access, path.projectId)
    const passed: Passed = { guard: operation.guard, db: services.db, project }
    const asked = { request, operation, path, url, state }
    const make = (from: Services) => {
      const context = contextOf({ state, principal, services: from, passed })
      return (operation.isWrite ? answerWrite : answerRead)(execute, context, asked)
    }
    const target = targetOf(asked)
    if (!replies || target === undefined || !project) return make(services)
    return replies.replyTo({ operation, target, project }, client, make)
  }

  return { handle: responder({ baseUrl, faultOf }, replyTo) }
}
