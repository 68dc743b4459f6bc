// The API as the supervisor's child: connections come over the channel, and it ends with the channel.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { Socket } from 'node:net'
import pino from 'pino'
import type { Settings } from '../core/settings.ts'
import { startApi } from '../server.ts'
import type { Secrets } from './data-dir.ts'
import { drainOf } from './drain.ts'

export interface BeginApi {
  type: 'begin'
  settings: Settings
  databaseUrl: string
  clickhouseUrl: string
  secrets: Secrets
}

interface Connection {
  type: 'connection'
  id: number
}

const channel = process
channel.once('disconnect', () => process.exit(1))

try {
  const [begin] = (await once(channel, 'message')) as [BeginApi]
  const log = pino({ name: 'api', level: begin.settings.LOG_LEVEL })
  const api = await startApi({ ...begin, log })
  // What `listen` would do: without it connections are not counted, nor ended when they idle.
  api.server.emit('listening')
  const drain = drainOf(api.server)
  channel.on('message', async (message: Connection | { type: 'stop' }, socket?: Socket) => {
    if (message.type === 'connection') return take(api.server, message.id, socket)
    await drain()
    await api.close()
    process.exit(0)
  })
  channel.send?.({ type: 'ready' })
  setTimeout(flushCompileCache, 2000).unref()
} catch (error) {
  channel.send?.({ type: 'failed', message: (error as Error).message })
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exitCode = 1
  channel.disconnect?.()
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
