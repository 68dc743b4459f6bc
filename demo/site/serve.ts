import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Served, serveLoopback } from '../loopback.ts'
import { ownHost } from '../sources.ts'
import { faults, scripted } from './faults.ts'
import { htmlOf, soundParts } from './page.ts'
import { addressOf, sitemapOf, sitePaths } from './paths.ts'

interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly location?: string
  /** The page says when it changed. */
  readonly isDated?: true
}

const robots = `User-agent: *
Allow: /

User-agent: CCBot
Disallow: /

User-agent: PerplexityBot
Disallow: /docs/headset/

Sitemap: ${addressOf('/sitemap.xml')}
`

const text = (status: number, body: string): Reply => ({
  status,
  body,
  type: 'text/plain; charset=utf-8',
})
const html = (body: string): Reply => ({ status: 200, type: 'text/html; charset=utf-8', body })

/** What the site answers to a path. */
function replyTo(path: string, endDay: string): Reply {
  if (path === '/robots.txt') return text(200, robots)
  if (path === '/sitemap.xml') {
    return { status: 200, type: 'application/xml', body: sitemapOf(endDay) }
  }
  if (path === scripted.path) return html(scripted.html)
  if (!sitePaths.includes(path)) return text(404, 'Not found.\n')
  const fault = faults[path] ?? {}
  if ('status' in fault) return { ...text(fault.status, 'Not here.\n'), ...fault }
  const sound = soundParts(path, endDay)
  const page = html(htmlOf({ ...sound, ...(typeof fault === 'function' ? fault(sound) : fault) }))
  return path === '/' ? page : { ...page, isDated: true }
}

/** Serves the site of the demonstration at a free port of the loopback interface, for its own host name alone. */
export function serveDemoSite(endDay: string): Promise<Served> {
  const answer = ({ url = '/', headers }: IncomingMessage, response: ServerResponse) => {
    const path = URL.parse(url, addressOf('/'))?.pathname ?? ''
    const { status, type, body, location, isDated } =
      headers.host === ownHost ? replyTo(path, endDay) : text(421, 'This is another site.\n')
    const more = {
      ...(location === undefined ? {} : { location }),
      ...(isDated ? { 'last-modified': new Date(endDay).toUTCString() } : {}),
    }
    response.writeHead(status, { 'content-type': type, ...more }).end(body)
  }
  return serveLoopback(answer)
}
