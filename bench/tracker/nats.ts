import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeIngestKey, makeSiteToken } from '../../core/tokens.ts'
import { freePort } from '../../test/kit/web/free-port.ts'
import { median, say } from '../service.ts'
import { bodiesOf, requestOf, type Shape } from './bodies.ts'
import { load } from './load.ts'

/**
 * node bench/tracker/nats.ts [SECONDS] [ROUNDS]
 *
 * Compares the events that a tracker acknowledges per second over JetStream with those over the log of files. Five
 * interleaved rounds by default, ratios of medians. Needs nats-server, which does not sync before it acknowledges.
 */
const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 5)
const modes = ['sightline', 'nats'] as const
const shapes: Shape[] = [1, 100, 1000].map((eventsPerBody) => ({ eventsPerBody, crawlers: 1 }))

const secret = 'bench'.repeat(8)
const ids = { projectId: crypto.randomUUID(), workspaceId: crypto.randomUUID() }
const key = makeIngestKey(secret, { id: crypto.randomUUID(), workspaceId: ids.workspaceId })
const siteToken = makeSiteToken(secret, ids)

const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
await mkdir(join(folder, 'nats'))
const natsPort = await freePort()
const config = join(folder, 'nats.conf')
const store = JSON.stringify(join(folder, 'nats'))
await writeFile(config, `max_payload: 4MB\njetstream { store_dir: ${store}, max_file: 20GB }\n`)
const address = ['-a', '127.0.0.1', '-p', String(natsPort)]
const nats = spawn('nats-server', ['-c', config, ...address], { stdio: 'ignore' })

async function startServer(mode: string): Promise<{ child: ChildProcess; port: number }> {
  const script = fileURLToPath(new URL('./server.ts', import.meta.url))
  const args = [script, mode, folder, secret, `nats://127.0.0.1:${natsPort}`]
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, args, { stdio: [...stdio] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

const servers = new Map<string, Awaited<ReturnType<typeof startServer>>>()
try {
  for (const mode of modes) servers.set(mode, await startServer(mode))
  const isReady = async (port: number) => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  for (const { port } of servers.values()) while (!(await isReady(port))) await sleep(100)
  for (const shape of shapes) {
    const requests = bodiesOf(shape, siteToken).map((body) => requestOf(body, key))
    const seen = new Map<string, number[]>(modes.map((mode) => [mode, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [mode, { port }] of servers) {
        const { requestsPerSecond } = await load(port, requests, seconds * 1000)
        seen.get(mode)?.push(requestsPerSecond * shape.eventsPerBody)
      }
    }
    const [files = 0, messages = 0] = [...seen.values()].map(median)
    const count = (value: number) => Math.round(value).toLocaleString('en')
    say(
      `${shape.eventsPerBody} events a body: files ${count(files)} events/s, NATS ${count(messages)}, ratio ${(messages / files).toFixed(2)}`,
    )
  }
} finally {
  for (const { child } of servers.values()) child.kill()
  nats.kill()
  await rm(folder, { recursive: true, force: true })
}
