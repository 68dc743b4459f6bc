import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../../core/access.ts'
import type { Known } from './remembered.ts'
import { type Reply, type ResponderParts, type RestState, responder } from './reply.ts'

/** A key that memory knows, and the bucket of its rate. */
export interface KnownKey {
  readonly principal: Principal
  readonly hash: string
  readonly rateBucket: string
}

export interface KnownParts extends ResponderParts {
  /** The key of a request, if memory knows it and nothing is against it. */
  readonly knownKey: (request: IncomingMessage) => KnownKey | undefined
  /** The finished reply to a request, if all that it depends on is in memory. Changes nothing. */
  readonly known: (request: IncomingMessage, principal: Principal) => Known | undefined
  /** Counts the request, at once or later. @throws {Fault} `rate_limited` */
  readonly count: (key: KnownKey, headers: Record<string, string>) => undefined | Promise<undefined>
  /** Begins the answer: its metrics, its line in the log and the headers for other origins. */
  readonly begin: (request: IncomingMessage, response: ServerResponse, state: RestState) => void
}

/**
 * Answers what memory knows before anything is made for the request. Key, rate, project and scope are checked as for each
 * request. A request that memory does not know, or that a check refuses, goes the usual way.
 * @returns false for a request that goes the usual way; nothing has been counted then
 */
export function knownAnswers({ knownKey, known, count, begin, ...parts }: KnownParts) {
  interface Found extends RestState {
    readonly key: KnownKey
    readonly kept: Known
  }
  const answer = responder(parts, (_request, state): Reply | Promise<Reply> => {
    const { key, kept, headers } = state as Found
    const reply = () => {
      kept.replay()
      return kept.reply
    }
    return count(key, headers)?.then(reply) ?? reply()
  })
  return (request: IncomingMessage, response: ServerResponse, requestId: string): boolean => {
    const key = knownKey(request)
    const kept = key && known(request, key.principal)
    if (key === undefined || kept === undefined) return false
    const headers = { 'X-Request-Id': requestId, ...kept.headers }
    const state: Found = { requestId, headers, operation: kept.operation, key, kept }
    begin(request, response, state)
    answer(request, response, state)
    return true
  }
}
