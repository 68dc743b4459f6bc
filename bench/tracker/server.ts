import { openSync, write } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
import { pino } from 'pino'
import { openBots } from '../../ingest/bots/bots.ts'
import { createVerifier } from '../../ingest/endpoint/key.ts'
import { createTracker } from '../../ingest/endpoint/tracker.ts'
import { hitLine } from '../../ingest/event/event.ts'
import { openLog } from '../../ingest/log/log.ts'
import { openNatsLog } from '../../ingest/nats/nats-log.ts'

/**
 * One of the servers that `bench/tracker.ts` compares, in its own process; the port goes to the parent.
 * With `parse` there is no server: the process measures `JSON.parse` alone on the bodies that the parent sends.
 */
const [mode, folder = '', secret = '', url = ''] = process.argv.slice(2)

const append = promisify(write)

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function plain(work: (body: Buffer) => Promise<unknown>): Server {
  return createServer((request, response) => {
    bodyOf(request)
      .then(work)
      .then(() => response.writeHead(202, { 'Content-Length': 0 }).end())
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
}

function drain(): Server {
  return createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(202, { 'Content-Length': 0 }).end())
  })
}

function appendOnly(): Server {
  const file = openSync(`${folder}/bare.log`, 'a')
  return plain((body) => append(file, body))
}

interface Event {
  readonly [field: string]: string | number
}

const eventsOf = (body: Buffer) => (JSON.parse(body.toString()) as { events: Event[] }).events

function redisPush(): Server {
  const redis = new Redis(url)
  return plain((body) =>
    redis.rpush('hits', ...eventsOf(body).map((event) => JSON.stringify(event))),
  )
}

/** Pushes the rows that the tracker would store of a body, so that both do the same for an event. */
async function redisRows(): Promise<Server> {
  const redis = new Redis(url)
  const bots = await openBots({
    lastGoodFile: `${folder}/bots.json`,
    log: pino({ level: 'silent' }),
  })
  const projectId = crypto.randomUUID()
  return plain(async (body) => {
    const context = { projectId, source: 'tracker', bots: bots.current(), now: Date.now() } as const
    const lines = eventsOf(body).flatMap((event) => hitLine(event, context).line ?? [])
    if (lines.length > 0) await redis.rpush('rows', ...lines)
  })
}

/** The cheapest tracker with our log: it parses a body, checks nothing, and appends the text as it came. */
async function floor(): Promise<Server> {
  const dir = `${folder}/floor`
  const log = await openLog({ dir, maxBacklogBytes: 2 ** 40, log: pino({ level: 'silent' }) })
  return plain((body) => {
    const text = body.toString()
    const { length } = (JSON.parse(text) as { events: Event[] }).events
    return log.append(Buffer.from(`${text}\n`), length)
  })
}

const columns = [
  'event_name',
  'timestamp',
  'method',
  'path',
  'url',
  'status_code',
  'response_time_ms',
  'user_agent',
  'ip_address',
  'referrer',
  'country',
]

/** The usual first version: a framework, and one INSERT of many rows for each request. */
async function insertRows(): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const types = columns.map((name) => (/timestamp|status|ms$/.test(name) ? 'bigint' : 'text'))
  await pool.query(
    `CREATE TABLE IF NOT EXISTS hits (${columns.map((name, at) => `"${name}" ${types[at]}`).join(', ')})`,
  )
  const app = fastify({ bodyLimit: 2 ** 20 })
  app.post<{ Body: { events: Event[] } }>('/v1/events', async ({ body }, reply) => {
    const values = body.events.flatMap((event) => columns.map((name) => event[name]))
    const rows = body.events.map(
      (_, row) => `(${columns.map((_name, at) => `$${row * columns.length + at + 1}`).join(',')})`,
    )
    await pool.query(`INSERT INTO hits VALUES ${rows.join(',')}`, values)
    return reply.code(202).send()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

async function sightline(): Promise<number> {
  const log = pino({ level: 'silent' })
  const maxBacklogBytes = 2 ** 40
  const tracker = createTracker({
    log:
      mode === 'nats'
        ? openNatsLog({ url, maxBacklogBytes, replicas: 1, log })
        : await openLog({ dir: folder, maxBacklogBytes, log }),
    bots: await openBots({ lastGoodFile: `${folder}/bots.json`, log }),
    verifier: createVerifier({
      secrets: [secret],
      revoked: () => ({ keys: new Set(), projects: new Set() }),
    }),
    logger: log,
  })
  return listen(tracker.server)
}

function parseAlone(): void {
  process.on('message', ({ bodies, ms }: { bodies: string[]; ms: number }) => {
    const buffers = bodies.map((body) => Buffer.from(body))
    const until = performance.now() + ms
    const began = performance.now()
    let parsed = 0
    while (performance.now() < until) {
      JSON.parse((buffers[parsed % buffers.length] ?? Buffer.from('0')).toString())
      parsed++
    }
    process.send?.({ requestsPerSecond: parsed / ((performance.now() - began) / 1000) })
  })
  process.send?.({ port: 0 })
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function start(): Promise<number> {
  if (mode === 'sightline' || mode === 'nats') return sightline()
  if (mode === 'postgres') return insertRows()
  if (mode === 'redis-rows') return listen(await redisRows())
  if (mode === 'floor') return listen(await floor())
  if (mode === 'redis' || mode === 'redis-core') return listen(redisPush())
  return listen(mode === 'append' ? appendOnly() : drain())
}

if (mode === 'parse') parseAlone()
else process.send?.({ port: await start() })
// The parent has ended or no longer needs the server.
process.on('disconnect', () => process.exit())
