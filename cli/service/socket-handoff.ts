import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { drainOf } from './drain.ts'

interface Connection {
  type: 'connection'
  id: number
}

const channel = process

/**
 * Serves the connections that the supervisor's front hands over, and tells it that we are ready. When it says
 * stop, requests that are being answered may finish, then `close` runs, and the process ends.
 */
export function serveHandedOver(server: Server, close: () => Promise<void>): void {
  // What `listen` would do: without it connections are not counted, nor ended when they idle.
  server.emit('listening')
  const drain = drainOf(server)
  channel.on('message', async (message: Connection | { type: string }, socket?: Socket) => {
    if ('id' in message) take(server, message.id, socket)
    if (message.type !== 'stop') return
    await drain()
    await close()
    process.exit(0)
  })
  channel.send?.({ type: 'ready' })
}

function take(server: Server, id: number, socket?: Socket): void {
  channel.send?.({ type: 'taken', id })
  // The client may have gone while its connection was on the way.
  if (!socket) return
  // As for a server that listens: a client may close its half and still read the answer.
  socket.allowHalfOpen = true
  server.emit('connection', socket)
  socket.resume()
}
