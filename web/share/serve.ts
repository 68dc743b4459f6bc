import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { parseCookie, stringifySetCookie } from 'cookie'
import { LRUCache } from 'lru-cache'
import { isPassword } from '../../core/password.ts'
import { unlockToken } from '../../core/reports/share.ts'
import { ownPath } from '../redirect.ts'
import { chartsOf } from './charts.ts'
import type { Page, PageBranding, PageReport } from './page.ts'

/** A report for its page. */
export interface ShownPage {
  readonly id: string
  readonly report: PageReport
  readonly branding: PageBranding | null
}

/** A report behind a link. */
export interface SharedPage extends ShownPage {
  /** The report as `GET /reports/{reportId}` gives it. */
  readonly body: object
  /** The stored password of the link; null for none. */
  readonly password: string | null
}

export interface ShareParts {
  /** The report that a token opens; null for every token that opens none. */
  find(token: string): Promise<SharedPage | null>
  /** The proof of the report that a token opens; null for every token that opens none, and where it has none. */
  proof(token: string): Promise<ProofFile | null>
  /** The report that the token of a preview opens, while it does. */
  preview(token: string): Promise<ShownPage | null>
  /** The logo at a token's address. */
  logo(token: string): Promise<Image | null>
  /** Signs what the browser of a reader keeps who gave a password. */
  readonly secret: string
  /** Whether readers come by https. */
  readonly isSecure: boolean
  /**
   * Counts a request by its address.
   * @param headers takes the rate headers of the response
   * @returns the seconds to wait, when there were too many
   */
  count(request: IncomingMessage, headers: Record<string, string>): Promise<string | undefined>
  /**
   * Counts a password that was tried, by the report and by the address.
   * @returns the seconds to wait, when there were too many
   */
  countTry(request: IncomingMessage, reportId: string): Promise<string | undefined>
  /** Called with an error that is not the reader's. */
  onError(error: unknown): void
}

interface ProofFile {
  readonly password: string | null
  /** Null where the answers can no longer be counted so. */
  readonly json: () => Promise<string | null>
}

interface Image {
  readonly contentType: string
  readonly image: Uint8Array
}

export const sharePrefix = '/share/'
const previewPrefix = '/preview/'
const logoPrefix = '/logo/'
const prefixes = [sharePrefix, previewPrefix, logoPrefix]

/** Whether the address is of a report or a logo that its token opens. */
export const isShared = (path: string): boolean =>
  prefixes.some((prefix) => path.startsWith(prefix))

/** The path for a log: whoever has the token can read the report. */
export function maskedPath(path: string): string {
  const prefix = prefixes.find((each) => path.startsWith(each))
  return prefix ? `${prefix}\u2026` : path
}

interface Shows {
  /** Pages of this service may show the page in a frame. */
  readonly isFramed?: boolean
  readonly hasForm?: boolean
}

function policyOf({ styleHash, scriptHash }: Page, { isFramed, hasForm }: Shows): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `script-src 'sha256-${scriptHash}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ].join('; ')
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Record<string, string>
}

const html = (status: number, page: Page, shows: Shows = {}): Reply => ({
  status,
  type: 'text/html; charset=utf-8',
  body: page.html,
  headers: { 'Content-Security-Policy': policyOf(page, shows) },
})

const text = (status: number, body: string, headers: Record<string, string>): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
  headers,
})

const mostPages = 100

/** Pages by report, branding and logo: neither a report nor the drawing of its charts changes. */
const pages = new LRUCache<string, Promise<Page>>({ max: mostPages })

const hashOf = (bytes: Uint8Array | null | undefined) =>
  bytes ? createHash('sha256').update(bytes).digest('base64') : ''

function pageOf({ id, report, branding }: ShownPage): Promise<Page> {
  const key = JSON.stringify([
    id,
    report.title,
    report.proof,
    hashOf(report.logo?.image),
    branding?.name,
    branding?.accent,
    hashOf(branding?.logo),
  ])
  const known = pages.get(key)
  if (known) return known
  // ECharts is large: it is loaded with the first page.
  const made = import('./page.ts').then(({ reportPage }) => reportPage(report, branding))
  made.catch(() => pages.delete(key))
  pages.set(key, made)
  return made
}

const missing = async () => html(404, (await import('./page.ts')).missingPage)

async function passwordForm(status: number, problem?: string): Promise<Reply> {
  const { passwordPage } = await import('./page.ts')
  return html(status, passwordPage(problem), { hasForm: true })
}

/** The cookie of a link: its path keeps it from other links. */
const cookieName = 'sightline-report'
const cookieSeconds = 12 * 60 * 60
const mostFormBytes = 4096

async function passwordIn(request: IncomingMessage): Promise<string> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (!(length <= mostFormBytes)) return ''
  return new URLSearchParams(await readText(request)).get('password') ?? ''
}

const proofEnd = '/proof.json'

/** Whether the browser of a reader has given the password of a link. */
function isUnlocked(request: IncomingMessage, secret: string, token: string, password: string) {
  const given = parseCookie(request.headers.cookie ?? '')[cookieName]
  return given === unlockToken(secret, token, password)
}

async function proofReply(
  request: IncomingMessage,
  token: string,
  { proof, secret }: ShareParts,
): Promise<Reply> {
  if (request.method === 'POST') {
    return text(405, 'Only GET and HEAD are allowed here.\n', { Allow: 'GET, HEAD' })
  }
  const found = await proof(token)
  if (!found) return missing()
  if (found.password !== null && !isUnlocked(request, secret, token, found.password)) {
    return text(401, 'The report has a password: open its page first.\n', {})
  }
  const json = await found.json()
  if (json === null) {
    const problem =
      'Names of the brand changed since the report was made, so its answers no longer give its count. Ask for a new report.\n'
    return text(409, problem, {})
  }
  const headers = { 'Content-Disposition': 'attachment; filename="sightline-proof.json"' }
  return { status: 200, type: 'application/json', body: json, headers }
}

async function sharedReply(
  request: IncomingMessage,
  path: string,
  parts: ShareParts,
): Promise<Reply> {
  const { find, secret, isSecure, countTry } = parts
  const asked = path.slice(sharePrefix.length)
  if (asked.endsWith(proofEnd)) return proofReply(request, asked.slice(0, -proofEnd.length), parts)
  const isJson = asked.endsWith('.json')
  const token = isJson ? asked.slice(0, -'.json'.length) : asked
  const found = await find(token)
  const isForm = request.method === 'POST'
  if (isForm && (!found?.password || isJson)) {
    return text(405, 'Only GET and HEAD are allowed here.\n', { Allow: 'GET, HEAD' })
  }
  if (!found) return missing()
  const { password } = found
  const unlock = password && unlockToken(secret, token, password)
  const isOpen = !unlock || parseCookie(request.headers.cookie ?? '')[cookieName] === unlock
  if (isForm && password && unlock) {
    const seconds = await countTry(request, found.id)
    if (seconds) return text(429, 'Too many attempts.\n', { 'Retry-After': seconds })
    if (!(await isPassword(await passwordIn(request), password))) {
      return passwordForm(403, 'The password is not right.')
    }
    const cookie = stringifySetCookie({
      name: cookieName,
      value: unlock,
      path,
      maxAge: cookieSeconds,
      httpOnly: true,
      secure: isSecure,
      sameSite: 'lax',
    })
    return text(303, 'See the report.\n', { Location: ownPath(path), 'Set-Cookie': cookie })
  }
  if (!isOpen && isJson) return text(401, 'The report has a password: open its page first.\n', {})
  if (!isOpen) return passwordForm(401)
  if (!isJson) return html(200, await pageOf(found))
  const body = JSON.stringify({ report: found.body, charts: chartsOf(found.report.content) })
  return { status: 200, type: 'application/json', body }
}

async function replyTo(request: IncomingMessage, path: string, parts: ShareParts): Promise<Reply> {
  if (path.startsWith(sharePrefix)) return sharedReply(request, path, parts)
  if (path.startsWith(previewPrefix)) {
    const found = await parts.preview(path.slice(previewPrefix.length))
    return found ? html(200, await pageOf(found), { isFramed: true }) : missing()
  }
  const logo = await parts.logo(path.slice(logoPrefix.length))
  if (!logo) return text(404, 'There is no logo at this address.\n', {})
  // Another logo has another address.
  const headers = { 'Cache-Control': 'private, max-age=31536000, immutable' }
  return { status: 200, type: logo.contentType, body: logo.image, headers }
}

/**
 * Serves shared reports at `/share/{token}`, `/share/{token}.json` and `/share/{token}/proof.json`, previews and logos, without a key: the token is
 * what opens them.
 */
export function shareHandler(parts: ShareParts) {
  const { count, onError } = parts
  return async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const headers: Record<string, string> = {}
    const { method = '' } = request
    const accepted = path.startsWith(sharePrefix) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
    const answer = async (): Promise<Reply> => {
      const seconds = await count(request, headers)
      if (seconds) return text(429, 'Too many requests.\n', { 'Retry-After': seconds })
      if (accepted.includes(method)) return replyTo(request, path, parts)
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
