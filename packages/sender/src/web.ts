import {
  addressOfClient,
  countryOfClient,
  readerOf,
  signatureOfClient,
  urlOfClient,
} from './client.ts'
import type { Sender } from './sender.ts'

/**
 * A sender, or a function that makes one for a request from the variables of its runtime. Where a runtime shares no
 * connection between requests, only the function works.
 */
export type SenderOf = Sender | ((environment: object | undefined) => Sender)

/** What lives longer than a request where functions end with their request. */
export interface Lifetime {
  waitUntil(promise: Promise<unknown>): void
}

/** A web request with its answer. */
export interface Answered {
  readonly request: Request
  readonly status: number
  readonly durationMs?: number | undefined
  /** Where no header names the address of the client. */
  readonly address?: string | undefined
  readonly environment?: object | undefined
  readonly lifetime?: Lifetime | undefined
}

/** Sends a web request, and keeps the runtime alive until it is sent. Never throws. */
export function sendAnswered(senderOf: SenderOf, answered: Answered): void {
  const { request, status, durationMs, address, environment, lifetime } = answered
  const read = readerOf(request.headers)
  const isShared = typeof senderOf !== 'function'
  const sender = isShared ? senderOf : senderOf(environment)
  sender.send({
    method: request.method,
    url: urlOfClient(read, request.url),
    status,
    durationMs,
    userAgent: read('user-agent'),
    address: addressOfClient(read) ?? address,
    referrer: read('referer'),
    country: countryOfClient(read),
    signature: signatureOfClient(read),
  })
  const sent = isShared ? sender.settled() : sender.flush()
  lifetime?.waitUntil(sent)
}
