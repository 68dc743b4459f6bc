import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../core/log.ts'
import type { AgentKeysSource } from '../bots/agent-keys.ts'
import type { BotsSource } from '../bots/bots.ts'
import type { RangesSource } from '../bots/ranges.ts'
import { Overloaded } from '../log/backpressure.ts'
import type { EventLog } from '../log/event-log.ts'
import { type BodyBudget, readBody } from './body.ts'
import { keyOf } from './credentials.ts'
import { type Hits, readHits } from './hits.ts'
import type { IngestKey, Verifier } from './key.ts'
import type { Tally, TrackerMetrics } from './metrics.ts'
import { maxBodyBytes, overloaded, type Reply, refuse } from './replies.ts'

export interface EventContext {
  readonly log: EventLog
  readonly bots: BotsSource
  /** By default the ranges that come with Sightline. */
  readonly ranges?: RangesSource | undefined
  /** Absent where nobody signs. */
  readonly agents?: AgentKeysSource | undefined
  readonly verifier: Verifier
  readonly logger: Log
  readonly budget: BodyBudget
  readonly metrics: TrackerMetrics
}

/** Which events of a request count, for senders: the body says nothing. */
export function countsOf({ kept, dropped }: Tally): Record<string, string> {
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0)
  return { 'Sightline-Kept': String(kept), 'Sightline-Dropped': String(lost) }
}
const tooLarge = refuse('body_too_large')
const logOverloaded = overloaded(5)
const memoryOverloaded = overloaded(1)

/**
 * Stores the events of one request: 202 once the hits of crawlers are on disk. Cheap checks come first. A request
 * with a wrong key or a full log is refused before its body is sent.
 * @returns undefined when the client has disconnected
 */
export async function receiveEvents(
  request: IncomingMessage,
  response: ServerResponse,
  context: EventContext,
): Promise<Reply | undefined> {
  const key = keyOf(request, context.verifier)
  if ('status' in key) return key
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge
  if (context.log.isOverloadedFor(key.workspaceId)) return logOverloaded
  if (request.headers.expect !== undefined) response.writeContinue()
  const body = await readBody(request, context.budget, key.workspaceId)
  if (body === 'aborted') return undefined
  if (body === 'body_too_large') return tooLarge
  if (body === 'overloaded') return memoryOverloaded
  context.metrics.bodyRead(body.bytes.length)
  try {
    return await store(body.bytes, key, context)
  } finally {
    context.budget.free(key.workspaceId, body.heldBytes)
  }
}

/** Whether an event of the body may have the headers of a signature. */
const isSigned = (bytes: Buffer) =>
  bytes.includes('"signature-agent"') || bytes.includes('"Signature-Agent"')

async function store(bytes: Buffer, key: IngestKey, context: EventContext): Promise<Reply> {
  const { verifier, ranges, agents } = context
  if (agents && isSigned(bytes)) await agents.load()
  const found = readHits(bytes, key, {
    verifier,
    bots: context.bots.current(),
    verify: ranges?.current(),
    agents,
  })
  if ('status' in found) return found
  const refused = await keep(found, context)
  return refused ?? { status: 202, headers: countsOf(found.tally) }
}

/** Appends hits to the log. @returns why they are not on disk; undefined once they are */
export async function keep(
  { rows, tally, site }: Hits,
  { log, logger, metrics }: EventContext,
): Promise<Reply | undefined> {
  if (tally.kept > 0) {
    const began = performance.now()
    try {
      await log.append(rows, tally.kept, site)
    } catch (error) {
      if (error instanceof Overloaded) return overloaded(error.retryAfterSeconds)
      logger.error({ err: error }, 'The events of a request could not be stored.')
      return logOverloaded
    }
    metrics.appended((performance.now() - began) / 1000)
  }
  metrics.counted(tally)
  return undefined
}
