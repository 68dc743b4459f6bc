import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import type { Child } from './child.ts'
import { listen, type PortSetting, urlOf } from './listener.ts'
import type { PartBoard, PartStates } from './part-states.ts'

export interface FrontOptions {
  readonly host: string
  readonly port: number
  /** The setting of the port, for errors. */
  readonly setting: PortSetting
  /** The URL for clients, when host and port are not reachable. */
  readonly publicUrl?: string | undefined
  /** While no process runs, connections get the API's 502, or wait. */
  readonly whileAway: 'answer' | 'wait'
}

/** A port of the service. The supervisor owns it, so it stays open while the process behind it restarts. */
export interface Front {
  readonly port: number
  /** The URL for clients, without a slash at the end. */
  readonly url: string
  /** The URL on this machine, which PUBLIC_URL may hide. */
  readonly localUrl: string
  /** Hands waiting and new connections to this process. */
  attach(part: Child): void
  /** Until a process is attached, `/readyz` shows the parts of this board. */
  show(board: Pick<PartBoard, 'current'>): void
  /** The process has ended: until the next `attach`, connections get a 502 or wait. */
  detach(): void
  /** Accepts no more connections. Resolves when the process has taken every accepted one. */
  close(): Promise<void>
}

interface Message {
  type?: string
  id?: number
}

// A response before the end of the request body would be lost with a reset.
const BODY_MS = 2000
// A process that hangs must not keep the service from stopping.
const HANDOFF_MS = 1000

/**
 * Listens at once. Connections wait until the first process is attached.
 * @throws {CliError} `port_in_use`, `port_not_allowed`, `host_not_available`
 */
export async function openFront(options: FrontOptions): Promise<Front> {
  const { host, publicUrl, whileAway } = options
  const waiting: Socket[] = []
  /** Sent to the process, and not confirmed yet. */
  const unconfirmed = new Map<number, Socket>()
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
  const handOff = (socket: Socket, to: Child) => {
    const id = ++lastId
    unconfirmed.set(id, socket)
    // Open here until the process confirms: a process that dies before loses no request.
    to.process.send({ type: 'connection', id }, socket, { keepOpen: true }, (error) => {
      if (error && unconfirmed.delete(id)) withoutPart(socket)
    })
  }
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    if (part?.process.connected) handOff(socket, part)
    else withoutPart(socket)
  })
  await listen(server, host, options.port, options.setting)
  const { port } = server.address() as AddressInfo
  const localUrl = urlOf(host, port)
  const url = publicUrl?.replace(/\/+$/, '') ?? localUrl
  let board: Pick<PartBoard, 'current'> = { current: () => ({}) }
  const standIn = makeStandIn(url, () => board.current())

  return {
    port,
    url,
    localUrl,
    attach: (next) => {
      part = next
      mayWait = whileAway === 'wait'
      next.process.on('message', ({ type, id }: Message) => {
        if (type !== 'taken' || id === undefined) return
        unconfirmed.get(id)?.destroy()
        unconfirmed.delete(id)
        if (unconfirmed.size === 0) onEmpty()
      })
      for (const socket of waiting.splice(0)) handOff(socket, next)
    },
    show: (shown) => {
      board = shown
    },
    detach: () => {
      part = undefined
      const left = [...unconfirmed.values()]
      unconfirmed.clear()
      for (const socket of left) withoutPart(socket)
      onEmpty()
    },
    close: () =>
      new Promise((resolve) => {
        server.close()
        mayWait = false
        for (const socket of waiting.splice(0)) withoutPart(socket)
        onEmpty = () => unconfirmed.size === 0 && resolve()
        onEmpty()
        setTimeout(resolve, HANDOFF_MS).unref()
      }),
  }
}

function makeStandIn(baseUrl: string, parts: PartBoard['current']) {
  const server = createHttpServer((request, response) => {
    request.resume()
    let isAnswered = false
    const answer = () => {
      if (isAnswered) return
      if (request.url?.split('?', 1)[0] === '/readyz') answerNotReady(response, parts())
      else answerDown(response, baseUrl)
      isAnswered = true
    }
    request.once('end', answer)
    setTimeout(answer, BODY_MS).unref()
  })
  // As `listen` does: without it, connections are neither counted nor closed when idle.
  server.emit('listening')
  return server
}

function answerNotReady(response: ServerResponse, parts: PartStates): void {
  const body = JSON.stringify({ status: 'not ready', parts })
  response.writeHead(503, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(body)
}

function answerDown(response: ServerResponse, baseUrl: string): void {
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
