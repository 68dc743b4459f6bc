import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach } from 'vitest'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import { createPageParser, type PageParser, type ParserOptions } from '../../site/page/parser.ts'
import { openSite, type Site, type SiteOptions } from '../../site/site.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Asked {
  readonly method: string
  readonly path: string
  readonly agent: string
  /** By `performance.now()`. */
  readonly at: number
  /** Requests that ran then, this one included. */
  readonly running: number
}

interface TestSite {
  readonly port: number
  /** All requests, in their order. */
  readonly asked: Asked[]
  connections(): number
  close(): Promise<void>
}

export const html = (body: string, title = 'A page') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`

/** Answers 200 with a page. */
export function sendHtml(response: ServerResponse, body: string | Buffer = html('<p>Text</p>')) {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(body)
}

/** A real HTTP server on loopback. Paths without a handler answer 404. */
async function startSite(paths: Readonly<Record<string, Handler>>): Promise<TestSite> {
  const asked: Asked[] = []
  let [running, connections] = [0, 0]
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    const { method = '', url = '/' } = request
    running++
    response.on('close', () => {
      running--
    })
    const agent = request.headers['user-agent'] ?? ''
    asked.push({ method, path: url, agent, at: performance.now(), running })
    const handler = paths[url.split('?', 1)[0] ?? '']
    if (handler === undefined) response.writeHead(404).end()
    else handler(request, response)
  })
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The exception that serves a name on port 80 from a test server. */
export function exception(name: string, port: number): PrivateHost {
  return { name, port: 80, target: { address: '127.0.0.1', port } }
}

/** A site of `shop.test` that reaches the test server alone, without pauses. Other names do not exist. */
function openTestSite(
  { port }: Pick<TestSite, 'port'>,
  parser: PageParser,
  options: Partial<SiteOptions> = {},
): Site {
  const missing = (name: string) => Object.assign(new Error(name), { code: 'ENOTFOUND' })
  return openSite({
    ownDomains: ['shop.test'],
    brand: null,
    now: new Date('2026-11-22T00:00:00Z'),
    privateHosts: [exception('shop.test', port)],
    delayOf: () => 0,
    userAgent: 'Mozilla/5.0 (compatible; SightlineBot/test; +http://127.0.0.1/bot)',
    parser,
    lookup: (name) => Promise.reject(missing(name)),
    ...options,
    limits: { retryMs: [1, 1], ...options.limits },
  })
}

/** Sites for the tests of a file, with one parser. A server ends with the test that started it. */
export function useTestSites(options?: ParserOptions) {
  const parser = createPageParser(options)
  const started: TestSite[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.close()))
  })
  afterAll(() => parser.close())

  async function start(paths: Readonly<Record<string, Handler>>): Promise<TestSite> {
    const server = await startSite(paths)
    started.push(server)
    return server
  }
  const open = (server: Pick<TestSite, 'port'>, given: Partial<SiteOptions> = {}) =>
    openTestSite(server, parser, given)
  return {
    start,
    open,
    /** Starts a server and opens it as `shop.test`. `read` takes a path, or an address as it is spelled. */
    async shop(paths: Readonly<Record<string, Handler>>, given: Partial<SiteOptions> = {}) {
      const server = await start(paths)
      const site = open(server, given)
      const read = async (path: string) =>
        (await site.read(path.startsWith('/') ? `http://shop.test${path}` : path)).reading
      return {
        server,
        site,
        read,
        outcome: async (path: string) => (await read(path)).outcome,
        paths: () => server.asked.map(({ path }) => path),
      }
    },
  }
}
