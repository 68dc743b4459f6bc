import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../core/log.ts'
import type { BotsSource } from '../bots/bots.ts'
import { hitLine } from '../event/event.ts'
import { Overloaded } from '../log/backpressure.ts'
import type { EventLog } from '../log/log.ts'
import { type BodyBudget, readBody } from './body.ts'
import type { IngestKey, KeyFault, Verifier } from './key.ts'
import { emptyTally, type Tally, type TrackerMetrics } from './metrics.ts'
import { maxBodyBytes, overloaded, type Reply, refuse } from './replies.ts'

export interface Intake {
  readonly log: EventLog
  readonly bots: BotsSource
  readonly verifier: Verifier
  readonly logger: Log
  readonly budget: BodyBudget
  readonly metrics: TrackerMetrics
}

const accepted: Reply = { status: 202 }
const missingAuthorization = refuse('missing_authorization')
const tooLarge = refuse('body_too_large')
const invalidJson = refuse('invalid_json')
const missingSiteToken = refuse('missing_site_token')
const invalidSiteToken = refuse('invalid_site_token')
const invalidEventsArray = refuse('invalid_events_array')
const keyFaults: Record<KeyFault, Reply> = {
  invalid_signature: refuse('invalid_signature'),
  missing_permission: refuse('missing_permission'),
  revoked: refuse('invalid_signature', { message: 'The ingest key was revoked.' }),
}
const logOverloaded = overloaded(5)
const memoryOverloaded = overloaded(1)

/**
 * Takes the events of one request: 202 once those of crawlers are on disk. Checks what costs least
 * first, and answers before the body is sent where that can be told.
 * @returns undefined when the client has gone
 */
export async function receiveEvents(
  request: IncomingMessage,
  response: ServerResponse,
  intake: Intake,
): Promise<Reply | undefined> {
  const key = keyOf(request, intake.verifier)
  if ('status' in key) return key
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge
  if (intake.log.isOverloaded) return logOverloaded
  if (request.headers.expect !== undefined) response.writeContinue()
  const body = await readBody(request, intake.budget)
  if (body === 'aborted') return undefined
  if (body === 'body_too_large') return tooLarge
  if (body === 'overloaded') return memoryOverloaded
  intake.metrics.bodyRead(body.bytes.length)
  try {
    return await keep(body.bytes, key, intake)
  } finally {
    intake.budget.free(body.heldBytes)
  }
}

function keyOf(request: IncomingMessage, verifier: Verifier): IngestKey | Reply {
  const { authorization = '' } = request.headers
  if (authorization === '') return missingAuthorization
  const token = /^Bearer +/i.test(authorization) ? authorization.slice(7).trimStart() : ''
  const key = verifier.key(token)
  return typeof key === 'string' ? keyFaults[key] : key
}

async function keep(bytes: Buffer, key: IngestKey, intake: Intake): Promise<Reply> {
  const { verifier, metrics, log, logger } = intake
  const body = parsed(bytes)
  if (body === invalidJson) return invalidJson
  const { site_token: token, events } = fieldsOf(body)
  if (typeof token !== 'string' || !token.startsWith('st_')) return missingSiteToken
  const site = verifier.site(token)
  if (site?.workspaceId !== key.workspaceId) return invalidSiteToken
  if (!Array.isArray(events)) return invalidEventsArray

  const tally = emptyTally()
  const lines = linesOf(events, site.projectId, intake.bots, tally)
  if (tally.kept > 0) {
    const began = performance.now()
    try {
      await log.append(lines, tally.kept)
    } catch (error) {
      if (error instanceof Overloaded) return overloaded(error.retryAfterSeconds)
      logger.error({ err: error }, 'The events of a request could not be kept.')
      return logOverloaded
    }
    metrics.appended((performance.now() - began) / 1000)
  }
  metrics.counted(tally)
  return accepted
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return invalidJson
  }
}

/** What has no fields, such as `null` or a number, lacks the token first of all. */
const fieldsOf = (body: unknown) => (body ?? {}) as Readonly<Record<string, unknown>>

function linesOf(
  events: readonly unknown[],
  projectId: string,
  bots: BotsSource,
  tally: Tally,
): string {
  const context = {
    projectId,
    source: 'tracker',
    bots: bots.current(),
    now: Date.now(),
  } as const
  let lines = ''
  for (const event of events) {
    const { line, dropped } = hitLine(event, context)
    if (line === undefined) {
      tally.dropped[dropped]++
    } else {
      tally.kept++
      lines += line
    }
  }
  return lines
}
