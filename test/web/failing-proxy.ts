import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What befalls a write on its way; only that which is `lost` reaches the service. */
const faults = {
  lost: (response: ServerResponse) => response.destroy(),
  refused: (response: ServerResponse) =>
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  busy: (response: ServerResponse) =>
    sendProblem(response, 429, { 'Retry-After': '1' }, { code: 'rate_limited', retryable: true }),
  'in flight': (response: ServerResponse) =>
    sendProblem(
      response,
      409,
      { 'Retry-After': '2' },
      { code: 'idempotency_in_flight', retryable: true },
    ),
} as const

export type WayFault = keyof typeof faults

function sendProblem(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  problem: object,
): void {
  response.writeHead(status, { ...headers, 'Content-Type': 'application/problem+json' })
  response.end(JSON.stringify({ status, message: 'Planted.', ...problem }))
}

export interface SeenWrite {
  readonly idempotencyKey: string | undefined
  readonly body: string
  /** When it came, in milliseconds of a clock that never jumps. */
  readonly atMs: number
}

/** A way to a service on which the first writes meet a fault each, in this order. */
export async function startFailingProxy(target: string, planned: readonly WayFault[]) {
  const left = [...planned]
  const writes: SeenWrite[] = []
  const forward = async (request: IncomingMessage, body: Buffer) => {
    const { host: _host, connection: _connection, ...headers } = request.headers
    const { method = 'GET', url = '/' } = request
    const asked = await fetch(target + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
    return { asked, bytes: Buffer.from(await asked.arrayBuffer()) }
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isWrite = request.method !== 'GET'
    const fault = isWrite ? left.shift() : undefined
    if (isWrite) {
      const key = request.headers['idempotency-key']
      const idempotencyKey = Array.isArray(key) ? key.join() : key
      writes.push({ idempotencyKey, body: body.toString(), atMs: performance.now() })
    }
    if (fault === undefined || fault === 'lost') {
      const { asked, bytes } = await forward(request, body)
      if (fault === undefined) {
        const { 'content-encoding': _encoding, ...headers } = Object.fromEntries(asked.headers)
        response.writeHead(asked.status, headers).end(bytes)
        return
      }
    }
    if (fault) faults[fault](response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
