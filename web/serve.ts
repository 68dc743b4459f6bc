import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendAsset } from './assets.ts'
import { serveDashboard, type Visits, wantsHtml } from './dashboard.ts'
import { contractAssets, docsAssets, docsPolicy } from './docs.ts'
import { graphiqlGzip } from './graphiql/page.ts'
import { markdownPage, texts } from './markdown.ts'

/** A page runs its own inline scripts, and connects to this service only. */
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

/**
 * Serves the dashboard at `/`, `/new-project` and below `/projects`. Serves the other pages: GraphiQL at `/graphql`, the
 * REST reference at `/docs`, its document at `/openapi.json`, the schema at `/schema.graphql`, the texts of `docs/` at `/docs/errors` and the like,
 * and the crawler at `/bot`. No page needs a key.
 * @returns whether the request was for a page
 */
export async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  visits: Visits,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  // `/docs/` is `/docs`, as a browser or a proxy may write it.
  const place = path.replace(/(?<=.)\/$/, '')
  const docs = docsAssets[place]
  const document = contractAssets[path]
  const text = texts[place]
  if (path === '/healthz') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}')
  } else if (document) {
    await sendAsset(request, response, document)
  } else if (docs) {
    await sendAsset(request, response, docs, { 'Content-Security-Policy': docsPolicy })
  } else if (text) {
    sendPage(request, response, await markdownPage(text.title, text.file))
  } else if (path === '/graphql' && wantsHtml(request)) {
    sendPage(request, response, await graphiqlGzip(), { 'Content-Encoding': 'gzip' })
  } else {
    return serveDashboard(request, response, path, visits)
  }
  return true
}
