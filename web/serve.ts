import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendAsset } from './assets.ts'
import { docsAssets, docsPolicy, openApiAsset } from './docs.ts'
import { errorsPage } from './errors.ts'
import { graphiqlGzip } from './graphiql.ts'

/** No other host is needed, and none is reached: a page runs what it brings and asks this service alone. */
const policy =
  "default-src 'self'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** A browser asks for a page; anything else that asks the same address wants data. */
function wantsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/**
 * Serves what people look at: GraphiQL at `/graphql`, the reference of REST at `/docs` and its document at
 * `/openapi.json`, the errors at `/docs/errors`, and `/healthz`. None of it needs a key.
 * @returns whether the request was for a page
 */
export async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const docs = docsAssets[path]
  if (path === '/healthz') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}')
  } else if (path === '/openapi.json') {
    await sendAsset(request, response, openApiAsset)
  } else if (docs) {
    await sendAsset(request, response, docs, { 'Content-Security-Policy': docsPolicy })
  } else if (path === '/docs/errors') {
    sendPage(request, response, await errorsPage())
  } else if (path === '/graphql' && wantsHtml(request)) {
    sendPage(request, response, await graphiqlGzip(), { 'Content-Encoding': 'gzip' })
  } else if (path === '/' && wantsHtml(request)) {
    response.writeHead(302, { Location: '/graphql' }).end()
  } else {
    return false
  }
  return true
}
