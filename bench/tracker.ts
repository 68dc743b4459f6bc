import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { makeIngestKey, makeSiteToken } from '../core/tokens.ts'
import { startTestPostgres } from '../test/kit/postgres.ts'
import { freePort } from '../test/kit/web/free-port.ts'
import { median, say } from './service.ts'
import { bodiesOf, requestOf, type Shape } from './tracker/bodies.ts'
import { load } from './tracker/load.ts'

/**
 * node bench/tracker.ts [SECONDS] [MODES] [CELLS]
 *
 * Compares the events that the tracker acknowledges per second on one core with eight alternatives:
 *
 * - a server that drains the body;
 * - a server that appends the body without fsync;
 * - `JSON.parse` alone;
 * - Fastify with one INSERT per request into PostgreSQL;
 * - RPUSH of the events into a Redis that always syncs, and may use the core of the load;
 * - the same with Redis on the core of its server (`redis-core`);
 * - RPUSH of the rows that the tracker would store;
 * - a server that parses the body, checks nothing, and appends the text to our log (`floor`).
 *
 * Runs five rounds in turn after one that warms up, and prints ratios of medians. Needs redis-server.
 * MODES are names of these, such as `sightline,redis`, or `all`. CELLS are events a body and per cent of crawlers, such as `1000/100,1/10`.
 * With `taskset`, servers run on core 0 and the load on core 1.
 */
const seconds = Number(process.argv[2] ?? 2)
const rounds = 5
const allModes = [
  ...(['sightline', 'drain', 'append', 'floor', 'parse', 'postgres'] as const),
  ...(['redis', 'redis-core', 'redis-rows'] as const),
]
type Mode = (typeof allModes)[number]
const chosen = (given: string | undefined, name: string) =>
  given === undefined || given === 'all' || given.split(',').includes(name)
const modes = allModes.filter((mode) => chosen(process.argv[3], mode))
const shapes: Shape[] = [1, 100, 1000]
  .flatMap((eventsPerBody) => [1, 0.1].map((crawlers) => ({ eventsPerBody, crawlers })))
  .filter(({ eventsPerBody, crawlers }) =>
    chosen(process.argv[4], `${eventsPerBody}/${crawlers * 100}`),
  )

const secret = 'bench'.repeat(8)
const ids = { projectId: crypto.randomUUID(), workspaceId: crypto.randomUUID() }
const key = makeIngestKey(secret, { id: crypto.randomUUID(), workspaceId: ids.workspaceId })
const siteToken = makeSiteToken(secret, ids)
const hasTaskset = spawnSync('taskset', ['--version']).status === 0

interface Server {
  readonly child: ChildProcess
  readonly port: number
}

/** The command that runs a program on one core. */
const onCore = (core: number, command: readonly string[]) =>
  hasTaskset ? ['taskset', '-c', String(core), ...command] : command

async function startServer(mode: Mode, folder: string, url: string): Promise<Server> {
  const script = fileURLToPath(new URL('./tracker/server.ts', import.meta.url))
  const command = [process.execPath, script, mode, folder, secret, url]
  const [program = '', ...args] = onCore(0, command)
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

async function requestsPerSecond(mode: Mode, server: Server, shape: Shape): Promise<number> {
  const bodies = bodiesOf(shape, siteToken)
  if (mode === 'parse') {
    server.child.send({ bodies: bodies.map(String), ms: seconds * 1000 })
    const [parsed] = (await once(server.child, 'message')) as [{ requestsPerSecond: number }]
    return parsed.requestsPerSecond
  }
  const requests = bodies.map((body) => requestOf(body, key))
  return (await load(server.port, requests, seconds * 1000)).requestsPerSecond
}

/** Removes appended data, so that the disk does not fill up. */
async function tidy(folder: string): Promise<void> {
  await truncate(join(folder, 'bare.log')).catch(() => undefined)
  for (const log of [join(folder, 'log'), join(folder, 'floor', 'log')]) {
    const segments = (await readdir(log).catch(() => [])).sort().slice(0, -1)
    for (const name of segments) await rm(join(log, name))
  }
}

const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'sightline-bench-'))
/** A Redis that syncs each write, on one core or on any. */
async function startRedis(name: string, core?: number) {
  const port = await freePort()
  const dir = join(folder, name)
  await mkdir(dir)
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir]
  const syncs = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  // It would rewrite its file while others are measured.
  const grows = ['--auto-aof-rewrite-percentage', '0']
  const command = ['redis-server', ...place, ...syncs, ...grows]
  const [program = '', ...args] = core === undefined ? command : onCore(core, command)
  const child = spawn(program, args, { stdio: 'ignore' })
  const url = `redis://127.0.0.1:${port}`
  const client = new Redis(url)
  // Until it listens.
  client.on('error', () => undefined)
  return {
    url,
    /** Removes all that it holds, from the disk too. */
    async empty() {
      await client.flushall()
      await client.bgrewriteaof()
      while ((await client.info('persistence')).includes('aof_rewrite_in_progress:1'))
        await sleep(20)
    },
    stop() {
      client.disconnect()
      child.kill()
    },
  }
}

const redis = await startRedis('redis')
const redisOfCore = await startRedis('redis-core', 0)
const postgres = await startTestPostgres()
if (hasTaskset) spawnSync('taskset', ['-cp', '1', String(process.pid)])

const urls: Partial<Record<Mode, string>> = {
  redis: redis.url,
  'redis-core': redisOfCore.url,
  'redis-rows': redis.url,
  postgres: postgres.url,
}
const servers = new Map<Mode, Server>()
for (const mode of modes) servers.set(mode, await startServer(mode, folder, urls[mode] ?? ''))

try {
  for (const shape of shapes) {
    const seen = new Map<Mode, number[]>(modes.map((mode) => [mode, []]))
    for (let round = 0; round <= rounds; round++) {
      for (const [mode, server] of servers) {
        const events = (await requestsPerSecond(mode, server, shape)) * shape.eventsPerBody
        // The first round warms up.
        if (round > 0) seen.get(mode)?.push(events)
        await tidy(folder)
        if (mode.startsWith('redis')) await (mode === 'redis-core' ? redisOfCore : redis).empty()
      }
    }
    const middle = (mode: Mode) => median(seen.get(mode) ?? [])
    say(`\n${shape.eventsPerBody} events a body, ${shape.crawlers * 100} % crawlers`)
    for (const mode of modes) {
      const ratio = middle('sightline') / middle(mode)
      say(
        `${mode.padEnd(10)} ${Math.round(middle(mode)).toLocaleString('en').padStart(10)} events/s   sightline is ${ratio.toFixed(2)} of it`,
      )
    }
  }
} finally {
  for (const { child } of servers.values()) child.kill()
  redis.stop()
  redisOfCore.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
