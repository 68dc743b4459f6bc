import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import { answerUnparsed } from '../../core/unparsed.ts'
import { rawProblem } from '../../rest/handler/reply.ts'
import type { PartBoard } from './part-states.ts'

/** Why the supervisor answers in place of the process behind a port. */
export type Absence = 'away' | 'full'

export interface StandIn {
  /** Answers one connection and closes it. */
  answer(socket: Socket, why: Absence): void
}

// A response before the end of the request body would be lost with a reset.
const BODY_MS = 2000
/** A connection that sends nothing must not hold its place. */
const MOST_MS = 5000

const messages: Readonly<Record<Absence, string>> = {
  away: 'The API is starting again. Try again in a second.',
  full: 'The API has as many connections as it takes. Try again in a second.',
}

/** Answers 502 in place of the API. `/healthz` stays 200 while the API runs, and `/readyz` shows the parts. */
export function makeStandIn(baseUrl: string, parts: PartBoard['current']): StandIn {
  const reasons = new WeakMap<Socket, Absence>()
  const server = createServer((request, response) => {
    const why = reasons.get(request.socket) ?? 'away'
    const path = request.url?.split('?', 1)[0]
    request.resume()
    let isAnswered = false
    const answer = () => {
      if (isAnswered) return
      isAnswered = true
      if (path === '/readyz') sendJson(response, 503, { status: 'not ready', parts: parts() })
      else if (path === '/healthz' && why === 'full') sendJson(response, 200, { status: 'ok' })
      else sendFault(response, messages[why], baseUrl)
    }
    request.once('end', answer)
    setTimeout(answer, BODY_MS).unref()
  })
  answerUnparsed(server, (fault) => rawProblem(fault, { requestId: randomUUID(), baseUrl }))
  // As `listen` does: without it, connections are neither counted nor closed when idle.
  server.emit('listening')
  return {
    answer: (socket, why) => {
      reasons.set(socket, why)
      const end = setTimeout(() => socket.destroy(), MOST_MS).unref()
      socket.once('close', () => clearTimeout(end))
      server.emit('connection', socket)
      socket.resume()
    },
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(JSON.stringify(body))
}

function sendFault(response: ServerResponse, message: string, baseUrl: string): void {
  const requestId = randomUUID()
  const fault = new Fault('internal_error', message, { status: 502, retryable: true })
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
