import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import { CliError } from '../errors.ts'
import type { Child } from './child.ts'

export interface FrontOptions {
  readonly host: string
  readonly port: number
  /** The setting that chooses the port, for errors. */
  readonly setting: PortSetting
  /** How others reach it, when not by host and port. */
  readonly publicUrl?: string | undefined
  /** What becomes of connections while there is nobody to have them: they get the API's 502, or wait. */
  readonly whileAway: 'answer' | 'wait'
}

type PortSetting = 'PORT' | 'TRACKER_PORT'

/** A port of the service. It belongs to the supervisor, so that it is open whatever becomes of the part behind it. */
export interface Front {
  readonly port: number
  /** Where people reach it, without a slash at the end. */
  readonly url: string
  /** Where it is on this machine, which PUBLIC_URL may hide. */
  readonly localUrl: string
  /** From now on connections go to this process; those that wait do too. */
  give(part: Child): void
  /** The process is gone: until the next `give` connections are answered here, or wait. */
  takeBack(): void
  /** No new connections; resolves when the process has all those that were accepted. */
  close(): Promise<void>
}

interface Message {
  type?: string
  id?: number
}

// A body may still be on its way: an answer sent too early would be lost with a reset.
const BODY_MS = 2000
// A process that hangs takes no connections, and must not keep the service from stopping.
const HAND_OVER_MS = 1000

/**
 * Listens at once, and lets connections wait until the first process is given.
 * @throws {CliError} `port_in_use`, `port_not_allowed`, `host_not_available`
 */
export async function openFront(options: FrontOptions): Promise<Front> {
  const { host, publicUrl, whileAway } = options
  const waiting: Socket[] = []
  /** Sent to the process, which has not said yet that it has them. */
  const onTheWay = new Map<number, Socket>()
  let part: Child | undefined
  let mayWait = true
  let lastId = 0
  let onEmpty = () => {}

  const answer = (socket: Socket) => {
    standIn.emit('connection', socket)
    socket.resume()
  }
  const withoutPart = (socket: Socket) => {
    if (mayWait) waiting.push(socket)
    else if (whileAway === 'answer') answer(socket)
    else socket.destroy()
  }
  const handOver = (socket: Socket, to: Child) => {
    const id = ++lastId
    onTheWay.set(id, socket)
    // Kept open here until the other has it: when it dies before, the request is not lost.
    to.process.send({ type: 'connection', id }, socket, { keepOpen: true }, (error) => {
      if (error && onTheWay.delete(id)) withoutPart(socket)
    })
  }
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    if (part?.process.connected) handOver(socket, part)
    else withoutPart(socket)
  })
  await listen(server, host, options.port, options.setting)
  const { port } = server.address() as AddressInfo
  const localUrl = urlOf(host, port)
  const url = publicUrl?.replace(/\/+$/, '') ?? localUrl
  const standIn = makeStandIn(url)

  return {
    port,
    url,
    localUrl,
    give: (next) => {
      part = next
      mayWait = whileAway === 'wait'
      next.process.on('message', ({ type, id }: Message) => {
        if (type !== 'taken' || id === undefined) return
        onTheWay.get(id)?.destroy()
        onTheWay.delete(id)
        if (onTheWay.size === 0) onEmpty()
      })
      for (const socket of waiting.splice(0)) handOver(socket, next)
    },
    takeBack: () => {
      part = undefined
      const left = [...onTheWay.values()]
      onTheWay.clear()
      for (const socket of left) withoutPart(socket)
      onEmpty()
    },
    close: () =>
      new Promise((resolve) => {
        server.close()
        mayWait = false
        for (const socket of waiting.splice(0)) withoutPart(socket)
        onEmpty = () => onTheWay.size === 0 && resolve()
        onEmpty()
        setTimeout(resolve, HAND_OVER_MS).unref()
      }),
  }
}

function makeStandIn(baseUrl: string) {
  const server = createHttpServer((request, response) => {
    request.resume()
    let isAnswered = false
    const answer = () => {
      if (!isAnswered) sayDown(response, baseUrl)
      isAnswered = true
    }
    request.once('end', answer)
    setTimeout(answer, BODY_MS).unref()
  })
  // What `listen` would do: without it connections are not counted, nor ended when they idle.
  server.emit('listening')
  return server
}

function sayDown(response: ServerResponse, baseUrl: string): void {
  const requestId = randomUUID()
  const fault = new Fault('internal_error', 'The API is starting again. Try again in a second.', {
    status: 502,
    retryable: true,
  })
  const body = JSON.stringify(problemBody(fault, { requestId, baseUrl }))
  response.writeHead(fault.status, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    'Retry-After': '1',
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(body)
}

/** How people on this machine reach a listener. */
export function urlOf(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** @throws {CliError} that says what to do when the port cannot be had */
export async function listen(
  server: Server,
  host: string,
  port: number,
  setting: PortSetting = 'PORT',
): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, host, port, setting)
  }
}

function explain(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: PortSetting,
): Error {
  if (error.code === 'EADDRINUSE') {
    return new CliError(
      'port_in_use',
      `Port ${port} on ${host} is in use by another program. Choose another: ${setting}=${port + 10} npm start`,
      { extras: { host, port } },
    )
  }
  if (error.code === 'EACCES') {
    return new CliError(
      'port_not_allowed',
      `Port ${port} is not for this user: ports below 1024 belong to root. Choose another: ${setting}=${setting === 'PORT' ? 4000 : 4001} npm start`,
      { extras: { host, port } },
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new CliError(
      'host_not_available',
      `HOST=${host} is no address of this machine. 127.0.0.1 is reached from here alone, 0.0.0.0 from everywhere.`,
      { extras: { host } },
    )
  }
  return error
}
