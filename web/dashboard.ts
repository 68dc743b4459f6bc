import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { type Asset, sendAsset } from './assets.ts'
import { redirectToOwn } from './redirect.ts'

/** Scripts, styles and requests of this service only. Style elements carry the nonce of their response. */
const policyOf = (style: string) =>
  `default-src 'none'; script-src 'self'; style-src ${style}; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** Where the scripts and styles of the dashboard are. */
const prefix = '/dashboard/'

/** Written by `dashboard/build.ts`. */
const built = join(import.meta.dirname, '../dashboard/dist')

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Is the address one of the dashboard's own pages? They share one file. */
function isDashboardPage(path: string): boolean {
  const own = ['/', '/new-project', '/join', '/reset', '/account']
  return own.includes(path) || path.startsWith('/projects/') || path.startsWith('/connect/')
}

/** Browsers want a page; other clients of the same address want data. */
export function wantsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** The files of the build by their path; without a build none. */
async function readBuild(): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    files.map(({ name, parentPath }) => {
      const file = join(parentPath, name)
      const path = prefix + file.slice(built.length + 1).replaceAll('\\', '/')
      const contentType = types[extname(name)] ?? 'application/octet-stream'
      return [path, { contentType, read: () => readFile(file) }]
    }),
  )
}

/** What a page says of who opens it. */
export interface Visits {
  /** Whether the page offers the sign-in of the organisation. */
  readonly hasOrganisation: boolean
  /** Whether the service mails links for new passwords. */
  readonly hasMail: boolean
  /** Whether the browser has a session, which a visit renews. */
  isSignedIn(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

/** Says yes to a question of the page. */
const yes = (html: string, name: string) =>
  html.replace(`name="${name}" content="no"`, `name="${name}" content="yes"`)

let files: Promise<ReadonlyMap<string, Asset>> | undefined

/**
 * Sends the page that all addresses of the dashboard share. It is stored nowhere, because the nonce belongs to one
 * response, and a page from a cache would carry an old one.
 */
async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { status, visits }: { readonly status: 200 | 404; readonly visits: Visits },
): Promise<void> {
  files ??= readBuild()
  const page = (await files).get(`${prefix}index.html`)
  // Without a build GraphiQL shows the same numbers.
  if (!page) return redirectToOwn(response, '/graphql')
  const nonce = randomBytes(16).toString('base64')
  let html = String(await page.read()).replace('nonce=""', `nonce="${nonce}"`)
  if (visits.hasOrganisation) html = yes(html, 'organisation')
  if (visits.hasMail) html = yes(html, 'mail')
  if (await visits.isSignedIn(request, response)) html = yes(html, 'session')
  response.writeHead(status, {
    'Content-Type': page.contentType,
    'Content-Length': Buffer.byteLength(html),
    'Content-Security-Policy': policyOf(`'self' 'nonce-${nonce}'`),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

/**
 * Serves the dashboard's pages and files to browsers.
 * @returns whether the request was for one of them
 */
export async function serveDashboard(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  visits: Visits,
): Promise<boolean> {
  if (isDashboardPage(path) && wantsHtml(request)) {
    await sendPage(request, response, { status: 200, visits })
    return true
  }
  if (!path.startsWith(prefix)) return false
  files ??= readBuild()
  const asset = (await files).get(path)
  if (asset) {
    await sendAsset(request, response, asset, { 'Content-Security-Policy': policyOf("'self'") })
  }
  return asset !== undefined
}

/**
 * Answers a browser that asks for an address which nothing serves: the dashboard says so in words.
 * @returns whether a browser asked
 */
export async function serveMissing(
  request: IncomingMessage,
  response: ServerResponse,
  visits: Visits,
): Promise<boolean> {
  if (request.method !== 'GET' || !wantsHtml(request)) return false
  await sendPage(request, response, { status: 404, visits })
  return true
}
