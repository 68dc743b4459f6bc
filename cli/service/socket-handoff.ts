import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { drainOf } from './listener.ts'

interface Connection {
  type: 'connection'
  id: number
}

const channel = process

/** A server, and what ends with it. */
interface Served {
  readonly server: Server
  /** Ends the answers that have no end of their own. */
  endStreams?(): void
  close(): Promise<void>
}

/**
 * Serves the connections that the supervisor's front hands off. At the message `stop`, requests under way finish,
 * then `close` runs, and the process ends.
 */
export function serveSocketHandoff({ server, endStreams, close }: Served): void {
  // As `listen` does: without it, connections are neither counted nor closed when idle.
  server.emit('listening')
  const drain = drainOf(server)
  channel.on('message', async (message: Connection | { type: string }, socket?: Socket) => {
    if ('id' in message) take(server, message.id, socket)
    if (message.type !== 'stop') return
    endStreams?.()
    await drain()
    await close()
    process.exit(0)
  })
  channel.send?.({ type: 'ready' })
}

/** Confirms a connection, and reports its end: the supervisor counts the open ones. */
function take(server: Server, id: number, socket?: Socket): void {
  channel.send?.({ type: 'taken', id })
  // The client may have disconnected during the handoff.
  if (!socket) {
    reportClosed(id)
    return
  }
  socket.once('close', () => reportClosed(id))
  // As `listen` does: a client may close its half and still read the response.
  socket.allowHalfOpen = true
  server.emit('connection', socket)
  socket.resume()
}

let closed: number[] = []

/** Many connections end at once: one message names those of a few milliseconds. */
function reportClosed(id: number): void {
  if (closed.push(id) > 1) return
  setTimeout(() => {
    if (channel.connected) channel.send?.({ type: 'closed', ids: closed })
    closed = []
  }, 5).unref()
}
