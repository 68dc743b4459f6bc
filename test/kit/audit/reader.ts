import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { domainOf, normaliseUrl } from '../../../core/sites/urls.ts'
import type { ReadPage } from '../../../crawler/document/document.ts'
import { readDocument } from '../../../crawler/document/read.ts'
import type { Answer, Hop, PageOutcome } from '../../../crawler/reading.ts'
import type { AuditSite } from './site.ts'

/** Reads the planted site on loopback, in the order in which pages are asked: a small stand-in for the crawler's own requests. */

interface Reply {
  readonly status: number
  readonly message: IncomingMessage
  readonly body: Buffer
  readonly ms: number
}

/** Requests an address at the port of the site. */
async function get({ port, tlsPort }: AuditSite, address: string): Promise<Reply> {
  const url = new URL(address)
  const isTls = url.protocol === 'https:'
  const options = {
    host: '127.0.0.1',
    port: isTls ? tlsPort : port,
    path: url.pathname + url.search,
    headers: { host: url.host, 'user-agent': 'SightlineBot' },
    ...(isTls ? { servername: url.hostname } : {}),
  }
  const start = performance.now()
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = isTls ? httpsRequest(options, resolve) : httpRequest(options, resolve)
    sent.on('error', reject).end()
  })
  const ms = performance.now() - start
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return { status: message.statusCode ?? 0, message, body: Buffer.concat(chunks), ms }
}

function answerOf(address: string, { status, message, body }: Reply, times: number[]): Answer {
  const contentType = message.headers['content-type'] ?? null
  return {
    status,
    address,
    url: normaliseUrl(address) ?? address,
    contentType,
    isHtml: contentType?.startsWith('text/html') ?? false,
    looksLikeHtml: /^\s*<(?:!doctype )?html/i.test(body.subarray(0, 512).toString()),
    contentEncoding: null,
    xRobotsTag: [],
    link: [],
    lastModified: null,
    firstByteMs: times,
    bytes: body.length,
  }
}

const tagDepth = (html: string) =>
  Math.max(0, ...[...html.matchAll(/(?:<div>)+/g)].map(([run]) => run.length / 5))

interface Seen {
  readonly hops: readonly Hop[]
  readonly outcome: PageOutcome
  readonly page: ReadPage | null
  readonly text: string
  readonly status: number | null
}

function outcomeOf(answer: Answer, body: Buffer): PageOutcome {
  if (answer.status !== 200 || !answer.isHtml) return { kind: 'answered', answer }
  if (body.length > 2_000_000) return { kind: 'too_large', answer }
  return tagDepth(body.toString()) > 256
    ? { kind: 'too_deep', answer, limit: 'depth' }
    : { kind: 'read', answer }
}

/** Follows an address to its last answer. */
export async function see(site: AuditSite, start: string, names: readonly string[]): Promise<Seen> {
  const hops: Hop[] = []
  const failed = (outcome: PageOutcome): Seen => ({
    hops,
    outcome,
    page: null,
    text: '',
    status: null,
  })
  let address = start
  for (;;) {
    let reply: Reply
    const times: number[] = []
    try {
      reply = await get(site, address)
      times.push(reply.ms)
      if (reply.ms > 1500) times.push((await get(site, address)).ms)
    } catch (error) {
      const detail = (error as NodeJS.ErrnoException).code ?? String(error)
      return failed(
        /CERT/.test(detail)
          ? { kind: 'certificate', detail }
          : { kind: 'unreachable', cause: 'connection', detail },
      )
    }
    const location = reply.message.headers.location
    if (reply.status >= 300 && reply.status < 400 && location !== undefined) {
      const to = new URL(location, address).href
      if (to === address || hops.some((hop) => hop.address === to)) {
        return failed({ kind: 'redirect_loop', address: to })
      }
      hops.push({ address, status: reply.status, to })
      if (domainOf(new URL(to).hostname) !== 'shop.test') {
        return failed({ kind: 'redirect_off_site', address: to })
      }
      address = to
      continue
    }
    const outcome = outcomeOf(answerOf(address, reply, times), reply.body)
    const page =
      outcome.kind === 'read'
        ? readDocument(reply.body, 'utf-8', address, {
            xRobotsTag: [],
            link: [],
            ownDomains: ['shop.test'],
            brand: {
              id: 'own',
              isOwn: true,
              names: names.map((text) => ({ text, caseSensitive: false })),
              domains: [],
            },
            now: new Date('2026-06-15T12:00:00Z'),
          })
        : null
    return { hops, outcome, page, text: reply.body.toString(), status: reply.status }
  }
}
