import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { makeApiKey } from '../core/access.ts'
import { importAnswers } from '../imports/answers/answers.ts'
import { bareServer, countingServer, plainServer } from './doors/floors.ts'
import type { Task } from './doors/load.ts'
import { random } from './draws.ts'
import { type BenchService, quantile, say, startBenchService } from './service.ts'

/**
 * node bench/doors.ts [SECONDS] [DOOR]
 *
 * Prints the requests a second that the API answers from memory. A Fastify handler and `node:http` run beside it. The
 * figures are medians of five rounds in turn, and their ratios. The project has 264 answers.
 */
const ms = Number(process.argv[2] ?? 2) * 1000
const only = process.argv[3]
const rounds = only ? 1 : 5
const connections = 8
/** A key may ask 600 times a minute: so many keys share the load. */
const keyCount = 1500
const perKey = 550

interface Door {
  readonly name: string
  readonly task: Pick<Task, 'port' | 'head' | 'keys' | 'status'>
}

async function fill({ db, databaseUrl, warehouse, projectId }: BenchService): Promise<string[]> {
  const site = () => `https://site${Math.floor(random() * 60)}.com/page/${Math.floor(random() * 9)}`
  const lines = Array.from({ length: 264 }, (_, i) =>
    JSON.stringify({
      prompt: `prompt ${i % 12}`,
      platform: ['chatgpt', 'perplexity', 'gemini'][i % 3],
      collectedAt: new Date(Date.now() - (i % 28) * 86_400_000).toISOString(),
      text: 'Sony and Bose are named here.',
      citations: Array.from({ length: 5 }, () => ({ url: site() })),
    }),
  )
  await importAnswers({ db, databaseUrl, warehouse }, { projectId, lines })
  const { workspaceId, userId } = await db.apiKey.findFirstOrThrow()
  const made = Array.from({ length: keyCount }, () => makeApiKey())
  await db.apiKey.createMany({
    data: made.map(({ hash, lastFour }) => ({
      workspaceId,
      userId,
      hash,
      lastFour,
      scopes: ['read'],
    })),
  })
  return made.map(({ key }) => key)
}

/** Requests a second, and microseconds of processor time that this process spends for each: both kinds of servers are here. */
async function measure(client: ChildProcess, task: Task): Promise<readonly [number, number]> {
  const before = process.cpuUsage()
  client.send(task)
  const [{ rate, error }] = (await once(client, 'message')) as [{ rate: number; error?: string }]
  if (error !== undefined) throw new Error(error)
  const { user, system } = process.cpuUsage(before)
  return [rate, (user + system) / ((rate * task.ms) / 1000)]
}

const headOf = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}`

const service = await startBenchService()
const keys = await fill(service)
const path = `/api/mcp/projects/${service.projectId}`
const domains = `${path}/sources/domains?limit=20`
const first = await fetch(service.url + domains, {
  headers: { authorization: `Bearer ${service.key}` },
})
if (!first.ok) throw new Error(await first.text())
const etag = first.headers.get('etag') ?? ''
const matching = headOf(domains, `If-None-Match: ${etag}\r\n`)
const [bare, counting, plain] = await Promise.all([
  bareServer(),
  countingServer(etag),
  plainServer(service.databaseUrl, (await first.json()) as object),
])
const port = Number(new URL(service.url).port)
const ours = { port, keys, status: 200 }
const all: readonly Door[] = [
  { name: 'node:http', task: { ...ours, port: bare.port, keys: [], head: headOf('/') } },
  { name: 'healthz', task: { ...ours, keys: [], head: headOf('/healthz') } },
  { name: 'fastify', task: { ...ours, port: plain.port, head: headOf(domains) } },
  { name: 'domains', task: { ...ours, head: headOf(domains) } },
  { name: 'counting 304', task: { ...ours, port: counting.port, status: 304, head: matching } },
  { name: 'domains 304', task: { ...ours, status: 304, head: matching } },
  { name: 'project', task: { ...ours, head: headOf(path) } },
]
const doors = all.filter(({ name }) => !only || name === only)

const client = fork(new URL('doors/load.ts', import.meta.url))
const found = new Map<string, (readonly [number, number])[]>(doors.map(({ name }) => [name, []]))
for (let round = -1; round < rounds; round++) {
  for (const { name, task } of doors) {
    const figures = await measure(client, { ...task, perKey, connections, ms })
    // The first round warms up.
    if (round >= 0) found.get(name)?.push(figures)
  }
}
const median = (values: readonly number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
const rates = new Map([...found].map(([name, each]) => [name, median(each.map(([rate]) => rate))]))
say(`${cpus().length} cores, ${connections} connections, ${rounds} rounds of ${ms / 1000} s`)
for (const [name, each] of found) {
  const cpu = median(each.map(([, us]) => us))
  const rate = Math.round(rates.get(name) ?? 0)
  say(`${name.padEnd(14)}${rate} requests a second, ${cpu.toFixed(0)} µs of processor each`)
}
const ratio = (one: string, other: string) =>
  say(`${one} / ${other}: ${((rates.get(one) ?? 0) / (rates.get(other) ?? 0)).toFixed(2)}`)
if (!only) {
  ratio('domains', 'fastify')
  ratio('counting 304', 'node:http')
  ratio('domains 304', 'node:http')
  ratio('domains 304', 'counting 304')
  ratio('project', 'node:http')
}
client.disconnect()
await Promise.all([bare.stop(), counting.stop(), plain.stop()])
await service.stop()
