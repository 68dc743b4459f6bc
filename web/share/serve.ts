import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { chartsOf } from './charts.ts'
import type { Page, PageBranding, PageReport } from './page.ts'

/** A report behind a link. */
export interface SharedPage {
  readonly id: string
  readonly report: PageReport
  /** The report as `GET /reports/{reportId}` gives it. */
  readonly body: object
  readonly branding: PageBranding | null
}

export interface ShareParts {
  /** The report that a token opens; null for every token that opens none. */
  find(token: string): Promise<SharedPage | null>
  /**
   * Counts a request by its address.
   * @param headers takes the rate headers of the response
   * @returns the seconds to wait, when there were too many
   */
  count(request: IncomingMessage, headers: Record<string, string>): Promise<string | undefined>
  /** Called with an error that is not the reader's. */
  onError(error: unknown): void
}

export const sharePrefix = '/share/'

/** The path for a log: whoever has the token can read the report. */
export function maskedPath(path: string): string {
  return path.startsWith(sharePrefix) ? `${sharePrefix}\u2026` : path
}

function policyOf({ styleHash }: Page): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Record<string, string>
}

const html = (status: number, page: Page): Reply => ({
  status,
  type: 'text/html; charset=utf-8',
  body: page.html,
  headers: { 'Content-Security-Policy': policyOf(page) },
})

const text = (status: number, body: string, headers: Record<string, string>): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
  headers,
})

const mostPages = 100

/** Pages by report and branding: neither a report nor the drawing of its charts changes. */
const pages = new LRUCache<string, Promise<Page>>({ max: mostPages })

function pageOf({ id, report, branding }: SharedPage): Promise<Page> {
  const logo = branding?.logo ? createHash('sha256').update(branding.logo).digest('base64') : ''
  const key = JSON.stringify([id, report.title, branding?.name, branding?.accent, logo])
  const known = pages.get(key)
  if (known) return known
  // ECharts is large: it is loaded with the first page.
  const made = import('./page.ts').then(({ reportPage }) => reportPage(report, branding))
  made.catch(() => pages.delete(key))
  pages.set(key, made)
  return made
}

async function replyTo(path: string, find: ShareParts['find']): Promise<Reply> {
  const asked = path.slice(sharePrefix.length)
  const isJson = asked.endsWith('.json')
  const found = await find(isJson ? asked.slice(0, -'.json'.length) : asked)
  if (!found) return html(404, (await import('./page.ts')).missingPage)
  if (!isJson) return html(200, await pageOf(found))
  const body = JSON.stringify({ report: found.body, charts: chartsOf(found.report.content) })
  return { status: 200, type: 'application/json', body }
}

/** Serves shared reports at `/share/{token}` and `/share/{token}.json`, without a key. */
export function shareHandler({ find, count, onError }: ShareParts) {
  return async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const headers: Record<string, string> = {}
    const { method } = request
    const answer = async (): Promise<Reply> => {
      const seconds = await count(request, headers)
      if (seconds) return text(429, 'Too many requests.\n', { 'Retry-After': seconds })
      if (method === 'GET' || method === 'HEAD') return replyTo(path, find)
      return text(405, 'Only GET and HEAD are allowed here.\n', { Allow: 'GET, HEAD' })
    }
    const reply = await answer().catch((error: unknown) => {
      onError(error)
      return text(503, 'Try again shortly.\n', { 'Retry-After': '5' })
    })
    const body = Buffer.from(reply.body)
    response.writeHead(reply.status, {
      'X-Robots-Tag': 'noindex, nofollow, noarchive',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
      ...headers,
      ...reply.headers,
      'Content-Type': reply.type,
      'Content-Length': body.length,
    })
    response.end(method === 'HEAD' ? undefined : body)
  }
}
