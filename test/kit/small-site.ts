import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site on loopback, which the worker reads as `http://shop.test`. */
export interface SmallSite {
  /** The value of `ALLOW_PRIVATE_HOSTS` that opens the site. */
  readonly allowed: string
  /** Bodies of HTML by path. Other paths answer 404. */
  readonly pages: Map<string, string>
  /** Paths in the order of their requests. */
  readonly requests: string[]
  /** Runs before the answer to a path, with the user agent that asked. */
  readonly before: Map<string, (agent: string) => Promise<unknown>>
  close(): Promise<unknown>
}

const words = Array.from({ length: 220 }, (_, i) => `word${i}`).join(' ')

/** A page without a fault of its own; `head` replaces its title and description. */
export function soundPage(path: string, head?: string): string {
  const told = `A page about things of the shop, with the path ${path} in its text.`
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
    <link rel="canonical" href="http://shop.test${path}">
    ${head ?? `<title>The page ${path} of the shop</title><meta name="description" content="${told}">`}
    </head><body><main><h1>Page ${path}</h1><p>Acme ${path} ${words}</p>
    <p><a href="/">Home</a> <a href="/a">A</a> <a href="/b">B</a> <a href="/c">C</a></p></main></body></html>`
}

export async function startSmallSite(): Promise<SmallSite> {
  const pages = new Map<string, string>()
  const before = new Map<string, (agent: string) => Promise<unknown>>()
  const requests: string[] = []
  const server: Server = createServer(async ({ url = '/', headers }, response) => {
    requests.push(url)
    await before.get(url)?.(headers['user-agent'] ?? '')
    const html = pages.get(url)
    response.writeHead(html === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
    })
    response.end(html ?? 'Nothing here.')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    allowed: `shop.test:80=127.0.0.1:${port}`,
    pages,
    requests,
    before,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
