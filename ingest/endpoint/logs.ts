import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type Pusher, pusherOf } from './credentials.ts'
import { countsOf, type EventContext, keep } from './events.ts'
import { LogLines, maxWholeBytes } from './log-lines.ts'
import { type LogSource, logSources } from './log-sources.ts'
import { emptyTally } from './metrics.ts'
import { json, overloaded, type Reply, refuse } from './replies.ts'

/** As it comes, and unpacked: lines are read as they arrive, and those of people leave nothing in memory. */
const maxLogBytes = 32 * 1_048_576
const maxUnpackedBytes = 8 * maxLogBytes

const tooLarge = refuse('body_too_large', {
  message: 'The body is larger than 32 MB, or 256 MB unpacked. Send fewer lines in a request.',
})
const wholeTooLarge = refuse('body_too_large', {
  message: 'A body that is one JSON value may have 16 MB. Send one JSON object a line, or fewer.',
})
const notUnpacked = refuse('invalid_encoding')
const notSigned = refuse('invalid_signature', {
  message:
    '`X-Vercel-Signature` is not of the ingest key. Make the ingest key the secret of the drain.',
})
const memoryOverloaded = overloaded(1)
const logOverloaded = overloaded(5)

/** Requests of which a line was stored lately: hosts send a body again when its answer was lost. */
export type SeenRequests = LRUCache<string, true>
/** Some 10 MB. */
export const createSeenRequests = (): SeenRequests => new LRUCache({ max: 50_000 })

/** Ends the reading of a body with the reply to it. */
class Refused extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super(reply.body)
    this.reply = reply
  }
}

/**
 * Stores the hits in a pushed log: 200 once they are on disk.
 * @param name of the source
 * @returns undefined when the client has disconnected
 */
export async function receiveLogs(
  request: IncomingMessage,
  response: ServerResponse,
  context: EventContext & { readonly seen: SeenRequests },
  name: string,
): Promise<Reply | undefined> {
  const source = logSources.get(name)
  if (source === undefined) {
    const names = [...logSources.keys()].join(', ')
    return refuse('not_found', { message: `There is no such source of logs. There are: ${names}.` })
  }
  const parameters = parametersOf(request)
  const asks = { source, parameters }
  const reply = await replyTo(request, response, context, asks).catch((error: unknown) => {
    if (error instanceof Refused) return error.reply
    if (isOfZlib(error)) return notUnpacked
    if (!request.complete) return undefined
    throw error
  })
  return reply && asHostExpects(request, name, reply, parameters)
}

function parametersOf({ url = '' }: IncomingMessage): URLSearchParams {
  const query = url.indexOf('?')
  return new URLSearchParams(query < 0 ? '' : url.slice(query))
}

const isOfZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

interface Asked {
  readonly source: LogSource
  readonly parameters: URLSearchParams
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  context: EventContext & { readonly seen: SeenRequests },
  asked: Asked,
): Promise<Reply> {
  const pusher = pusherOf(request, asked.parameters, context.verifier)
  if ('status' in pusher) return pusher
  const { workspaceId } = pusher.key
  const coding = request.headers['content-encoding'] ?? ''
  if (!/^(?:|identity|gzip|x-gzip)$/i.test(coding)) return notUnpacked
  if (Number(request.headers['content-length'] ?? 0) > maxLogBytes) return tooLarge
  if (context.log.isOverloadedFor(workspaceId)) return logOverloaded
  if (request.headers.expect !== undefined) response.writeContinue()
  const held = new Held(context, workspaceId)
  try {
    return await store(request, context, asked, { ...pusher, held })
  } finally {
    held.free()
  }
}

/** What a request has reserved of the memory of bodies. */
class Held {
  readonly #budget: EventContext['budget']
  readonly #workspaceId: string
  #bytes = 0

  constructor({ budget }: EventContext, workspaceId: string) {
    this.#budget = budget
    this.#workspaceId = workspaceId
  }

  /** Reserves up to so many bytes. @throws {Refused} 503 when there is no room */
  grow(bytes: number): void {
    const more = bytes - this.#bytes
    if (more <= 0) return
    if (!this.#budget.reserve(this.#workspaceId, more)) throw new Refused(memoryOverloaded)
    this.#bytes = bytes
  }

  free(): void {
    this.#budget.free(this.#workspaceId, this.#bytes)
  }
}

async function store(
  request: IncomingMessage,
  context: EventContext & { readonly seen: SeenRequests },
  { source, parameters }: Asked,
  { site, token, held }: Pusher & { readonly held: Held },
): Promise<Reply> {
  const { seen, bots, ranges, metrics } = context
  const { projectId } = site
  const signature = request.headers['x-vercel-signature']
  const signed = signature === undefined ? undefined : createHmac('sha1', token)
  const tally = emptyTally()
  const ids = new Set<string>()
  const rows: string[] = []
  let rowBytes = 0
  let requests = 0
  const known = { projectId, source: 'tracker', now: Date.now() } as const
  const lines = source.linesOf(parameters)
  const of = { ...known, lines, bots: bots.current(), verify: ranges?.current() }
  const log = new LogLines(source, of, ({ hit, id }) => {
    if (hit === undefined) return
    if (hit.line === undefined) {
      if (hit.dropped !== 'malformed') requests++
      tally.dropped[hit.dropped]++
      return
    }
    requests++
    const key = id === undefined ? undefined : `${projectId} ${id}`
    if (key !== undefined && (ids.has(key) || seen.has(key))) return
    if (key !== undefined) ids.add(key)
    rows.push(hit.line)
    rowBytes += hit.line.length
    tally.kept++
  })
  let bytes = 0
  await unpacked(request, signed, (chunk) => {
    bytes += chunk.length
    if (bytes > maxUnpackedBytes) throw new Refused(tooLarge)
    if (log.heldBytes + chunk.length > maxWholeBytes) throw new Refused(wholeTooLarge)
    log.take(chunk)
    // A row is copied to the log, and a body of one JSON value is parsed.
    held.grow(2 * (rowBytes + log.heldBytes))
  })
  metrics.bodyRead(bytes)
  if (signed && !isSame(signed.digest('hex'), String(signature))) return notSigned
  if (!log.end()) return refuse('invalid_json')
  held.grow(2 * rowBytes)
  if (requests === 0 && tally.dropped.malformed > 0) {
    metrics.counted(tally)
    const message = `No line is a request. This address takes ${source.takes}.`
    return refuse('invalid_log_lines', { message })
  }
  const refused = await keep({ rows: Buffer.from(rows.join('')), tally, site }, context)
  if (refused) return refused
  for (const id of ids) seen.set(id, true)
  return { status: 200, headers: countsOf(tally) }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other.toLowerCase())]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The bytes of a body, unpacked where it is packed: not every host says so. */
async function unpacked(
  request: IncomingMessage,
  signed: Hmac | undefined,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const chunks = received(request, signed)
  const head: Buffer[] = []
  let headBytes = 0
  while (headBytes < 2) {
    const { value } = await chunks.next()
    if (value === undefined) break
    head.push(value)
    headBytes += value.length
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield Buffer.concat(head)
    yield* chunks
  }
  const [first, second] = Buffer.concat(head)
  const isPacked = first === 0x1f && second === 0x8b
  const read = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) take(chunk)
  }
  if (isPacked) await pipeline(Readable.from(all()), createGunzip(), read)
  else await read(all())
}

/** The chunks of a body. A reader that stops leaves the connection open for the reply. */
async function* received(
  request: IncomingMessage,
  signed: Hmac | undefined,
): AsyncGenerator<Buffer, undefined> {
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > maxLogBytes) throw new Refused(tooLarge)
    signed?.update(chunk)
    yield chunk
  }
  return undefined
}

const verification = /^[\w-]{1,200}$/

/** The reply in the form that the host of the log takes for one. */
function asHostExpects(
  request: IncomingMessage,
  name: string,
  reply: Reply,
  parameters: URLSearchParams,
): Reply {
  const firehose = request.headers['x-amz-firehose-request-id']
  if (firehose !== undefined) {
    const given: { message?: string } = reply.body === undefined ? {} : JSON.parse(reply.body)
    const { message: errorMessage } = given
    const more = { requestId: firehose, timestamp: Date.now(), errorMessage }
    const { body } = json(reply.status, { ...given, ...more })
    return { ...reply, contentType: 'application/json', body: body ?? '' }
  }
  const asked = request.headers['x-vercel-verify']?.toString() ?? parameters.get('verify') ?? ''
  if (name !== 'vercel' || !verification.test(asked)) return reply
  return { ...reply, headers: { ...reply.headers, 'x-vercel-verify': asked } }
}

/** Vercel asks a new address for the code that it shows, by GET or POST. */
export function vercelReady(request: IncomingMessage): Reply {
  const parameters = parametersOf(request)
  return asHostExpects(request, 'vercel', json(200, { status: 'ready' }), parameters)
}

/** Fastly asks whether the owner of the address wants logs: any service may send them, with an ingest key. */
export const fastlyChallenge = (): Reply => ({
  status: 200,
  contentType: 'text/plain',
  body: '*\n',
})
