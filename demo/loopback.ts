import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where the demonstration serves something. */
export interface Served {
  readonly port: number
  close(): Promise<void>
}

/** Answers at a free port of the loopback interface. */
export async function serveLoopback(answer: RequestListener): Promise<Served> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
