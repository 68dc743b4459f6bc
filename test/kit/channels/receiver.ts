import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Takes the request, and answers nothing. */
  readonly isSilent?: true
  readonly afterMs?: number
}

export interface Receiver {
  readonly port: number
  /** For ALLOW_PRIVATE_HOSTS: `hooks.test` is this receiver. */
  readonly privateHost: string
  /** Its address, in clear. */
  readonly url: string
  readonly received: readonly Received[]
  /** What it answers from now on: always the same, or what a request asks for. */
  answer(reply: Reply | ((received: Received) => Reply)): void
  close(): Promise<void>
}

/** A real receiver of POSTs on a free port of its own, which keeps what it gets. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let replyTo = (_received: Received): Reply => ({ status: 204 })
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const taken = { path, headers, body: String(Buffer.concat(parts)) }
      received.push(taken)
      const { isSilent, afterMs = 0, status, headers: own, body } = replyTo(taken)
      if (!isSilent) setTimeout(() => response.writeHead(status, own).end(body), afterMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    privateHost: `hooks.test:80=127.0.0.1:${port}`,
    url: 'http://hooks.test',
    received,
    answer: (next) => {
      replyTo = typeof next === 'function' ? next : () => next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
