import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const DRAIN_MS = 5000
// A connection that has just come has not said yet what it asks for.
const GRACE_MS = 100

/**
 * Counts the requests that are being answered, from now on.
 * @returns lets them finish, for at most 5 s, and then closes every connection
 */
export function drainOf(server: Server): () => Promise<void> {
  let underway = 0
  let isLast = false
  server.prependListener('request', (_request, response) => {
    underway++
    response.once('close', () => {
      underway--
    })
    if (isLast) response.setHeader('Connection', 'close')
  })
  return async () => {
    const deadline = Date.now() + DRAIN_MS
    isLast = true
    await sleep(GRACE_MS)
    while (underway > 0 && Date.now() < deadline) await sleep(20)
    server.closeAllConnections()
  }
}
