import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { demoLines } from '../demo/answers.ts'
import { importAnswers } from '../imports/answers/answers.ts'
import { setProviderKey } from '../resolvers/collecting/provider-keys.ts'
import { startRun } from '../resolvers/collecting/runs.ts'
import { commandLine } from '../resolvers/shared/audit-trail.ts'
import { storePrompts } from '../test/kit/collecting/prompts.ts'
import { memoryMb, started } from './processes.ts'
import { median, say, startBenchService } from './service.ts'

/**
 * node bench/collecting.ts [PROMPTS] [ROUNDS]
 *
 * Asks prompts, default 200, at a provider on the loopback interface that answers at once, by a worker in a process of
 * its own. Prints questions a second with one key and with four. The floor is a loop that fetches the same reply and
 * inserts it into PostgreSQL as one row. Prints also the memory of the worker, and the time of a report meanwhile.
 */
const [prompts = 200, rounds = 3] = process.argv.slice(2).map(Number)
const atOnce = 4
const dayMs = 86_400_000
const labels = ['a', 'b', 'c', 'd']
const counts = [1, labels.length] as const

const [providers, hosts] = await started<string>('./collecting/providers.ts', [])
const service = await startBenchService()
const { db, databaseUrl, warehouseUrl, projectId, key } = service
const [worker] = await started('./audits/worker.ts', [databaseUrl, warehouseUrl, hosts])
const project = await db.project.findUniqueOrThrow({ where: { id: projectId } })
const idleMb = memoryMb(worker.pid, 'VmRSS')

// Answers that the report reads. Their prompts are not tracked, so no run asks them.
const endDay = '2026-03-01'
await importAnswers(service, { projectId, lines: demoLines({ seed: 1, endDay, days: 30 }) })
await db.prompt.updateMany({ where: { projectId }, data: { isTracked: false } })
await storePrompts(db, projectId, prompts)
const options = { test: async () => undefined, signingSecret: 'bench' }
for (const label of labels) {
  const input = { provider: 'openai' as const, secret: 'sk-bench', label }
  const address = { baseUrl: 'http://providers.test/openai' }
  await setProviderKey(db, commandLine, project.workspaceId, { ...input, ...address }, options)
}

/** Milliseconds of one report, each time of another window: none comes from memory. */
let windows = 0
async function report(): Promise<number> {
  const at = windows++
  const to = Date.parse(endDay) - Math.floor(at / 300) * dayMs
  const [from, until] = [to - (2 + (at % 300)) * dayMs, to].map((time) =>
    new Date(time).toISOString().slice(0, 10),
  )
  const window = `from=${from}&to=${until}`
  const began = performance.now()
  const path = `/api/mcp/projects/${projectId}/visibility?${window}`
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(service.url + path, { headers })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return performance.now() - began
}

/** Questions a second of a run, from the first question to the end of the last one. */
async function measureRun(keys: number, reports?: number[]): Promise<number> {
  const { id } = await startRun(db, commandLine, project, { keys: labels.slice(0, keys) })
  while ((await db.run.findUniqueOrThrow({ where: { id } })).status !== 'completed') {
    reports?.push(await report())
    await sleep(200)
  }
  const { _count, _max } = await db.ask.aggregate({
    where: { runId: id, state: 'answered' },
    _count: true,
    _max: { endedAt: true },
  })
  const first = await db.ask.aggregate({ where: { runId: id }, _min: { askedAt: true } })
  const ms = Number(_max.endedAt) - Number(first._min.askedAt)
  if (_count !== prompts * keys) throw new Error(`${_count} of ${prompts * keys} were answered`)
  return _count / (ms / 1000)
}

const pool = new pg.Pool({ connectionString: databaseUrl, max: atOnce * labels.length })
await pool.query('CREATE TABLE floor (id uuid PRIMARY KEY, body text)')
const [, address = ''] = hosts.split(/[=,]/)

/** The same number of replies at once, each fetched and inserted. */
async function measureFloor(keys: number): Promise<number> {
  const queue = Array.from({ length: prompts * keys }, (_, at) => `which of ${at} anvils?`).values()
  const lane = async () => {
    for (const input of queue) {
      const body = JSON.stringify({ model: 'gpt-5-mini', input })
      const response = await fetch(`http://${address}/openai/responses`, { method: 'POST', body })
      await pool.query('INSERT INTO floor VALUES ($1, $2)', [randomUUID(), await response.text()])
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce * keys }, lane))
  return (prompts * keys) / ((performance.now() - began) / 1000)
}

const rates = new Map<string, number[]>()
const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate])
const [idle, busy]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds; round++) {
  for (const keys of counts) {
    note(`floor ${keys}`, await measureFloor(keys))
    note(`worker ${keys}`, await measureRun(keys))
  }
  for (let i = 0; i < 20; i++) idle.push(await report())
  await measureRun(labels.length, busy)
}
for (const keys of counts) {
  const [own = [], floor = []] = [rates.get(`worker ${keys}`), rates.get(`floor ${keys}`)]
  const ratio = median(own) / median(floor)
  const figures = `${Math.round(median(own))} questions a second, floor ${Math.round(median(floor))}`
  say(`${keys} key${keys > 1 ? 's' : ''}: ${figures}, ratio ${ratio.toFixed(2)}`)
}
say(`worker  ${memoryMb(worker.pid, 'VmHWM')} MB at most, ${idleMb} MB idle`)
const [atRest, meanwhile] = [median(idle), median(busy)]
const times = `${Math.round(atRest)} ms at rest, ${Math.round(meanwhile)} ms during a run`
say(`report  ${times}, ratio ${(meanwhile / atRest).toFixed(2)}  (${busy.length} during runs)`)
worker.disconnect()
providers.disconnect()
await pool.end()
await service.stop()
