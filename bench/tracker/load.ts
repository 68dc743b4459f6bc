import { connect, type Socket } from 'node:net'

const connections = 32
const headEnd = Buffer.from('\r\n\r\n')

export interface Load {
  readonly requestsPerSecond: number
  /** Milliseconds from the first byte sent to the response. */
  readonly p50: number
  readonly p99: number
}

/** Sends requests over keep-alive connections, one at a time on each, and counts the responses. */
export async function load(port: number, requests: readonly Buffer[], ms: number): Promise<Load> {
  const waits: number[] = []
  const until = performance.now() + ms
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, (_, at) => talk(port, requests, at, until, waits)),
  )
  const seconds = (performance.now() - began) / 1000
  waits.sort((a, b) => a - b)
  const quantile = (q: number) => waits[Math.floor(q * (waits.length - 1))] ?? Number.NaN
  return { requestsPerSecond: waits.length / seconds, p50: quantile(0.5), p99: quantile(0.99) }
}

/** Sends on one connection until the time is over. @throws {Error} for a response that is not 202 */
function talk(
  port: number,
  requests: readonly Buffer[],
  first: number,
  until: number,
  waits: number[],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let next = first
  let sentAt = 0
  const send = () => {
    sentAt = performance.now()
    socket.write(requests[next++ % requests.length] ?? '')
  }
  socket.on('connect', send)
  socket.on('data', (chunk) => {
    if (!chunk.includes(headEnd)) return
    if (!chunk.subarray(0, 12).equals(accepted)) {
      socket.destroy()
      return reject(new Error(`not accepted: ${chunk.toString().split('\r\n', 1)[0]}`))
    }
    const now = performance.now()
    waits.push(now - sentAt)
    if (now < until) return send()
    socket.end()
    resolve()
  })
  socket.on('error', reject)
  return promise
}

const accepted = Buffer.from('HTTP/1.1 202')
