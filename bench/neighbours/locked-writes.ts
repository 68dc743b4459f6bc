import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { type BenchService, quantile, say, startBenchService } from '../service.ts'

/**
 * node bench/neighbours/locked-writes.ts [SECONDS]
 *
 * Prints the times of reads, and of writes in another workspace: alone, and while 40 connections write to a project
 * whose row is locked. The clients run in processes of their own.
 */
const seconds = Number(process.argv[2] ?? 10)
const connections = 40
const longestMs = 30_000

interface Task {
  readonly kind: 'read' | 'write' | 'stuck'
  readonly url: string
  readonly keys: readonly string[]
}

interface Times {
  readonly sorted: readonly number[]
  readonly statuses: Readonly<Record<string, number>>
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

function statusOf({ url, kind }: Task, key: string): Promise<string> {
  return new Promise((resolve) => {
    const isRead = kind === 'read'
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const options = { agent, headers, method: isRead ? 'GET' : 'POST', timeout: longestMs }
    const sent = request(url, options, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)))
    })
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve('none'))
    sent.end(isRead ? undefined : JSON.stringify({ prompts: [{ text: 'a prompt' }] }))
  })
}

async function ask(task: Task): Promise<Times> {
  const end = performance.now() + seconds * 1000
  const [times, statuses]: [number[], Record<string, number>] = [[], {}]
  const line = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      const status = await statusOf(task, task.keys[times.length % task.keys.length] ?? '')
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - began)
      await sleep(10)
    }
  }
  await Promise.all(Array.from({ length: task.kind === 'stuck' ? connections : 1 }, line))
  return { sorted: times.toSorted((a, b) => a - b), statuses }
}

async function inChild(task: Task): Promise<Times> {
  const child = fork(import.meta.filename, [String(seconds)])
  child.send(task)
  const [times] = (await once(child, 'message')) as [Times]
  child.disconnect()
  return times
}

function show(name: string, { sorted, statuses }: Times): void {
  const p95 = quantile(sorted, 0.95).toFixed(1)
  const most = (sorted.at(-1) ?? Number.NaN).toFixed(1)
  say(
    `${name}: p95 ${p95} ms, most ${most} ms, ${sorted.length} answers ${JSON.stringify(statuses)}`,
  )
}

/** A project of a workspace of its own, with keys that may write to it. */
async function writable({ db }: BenchService, keys: number) {
  const workspaceId = (await createWorkspace(db, { name: 'Bench', plan: 'enterprise' })).id
  const project = { workspaceId, name: 'Acme', domain: 'acme.com' }
  const { id } = await createProject(db, project, 'bench')
  const rights = { workspaceId, scopes: ['read'], capabilities: ['prompt:draft'] } as const
  const make = async () =>
    (await createKey(db, { ...rights, scopes: ['read'], capabilities: ['prompt:draft'] })).key
  return {
    id,
    path: `/api/mcp/projects/${id}/prompts`,
    keys: await Promise.all(Array.from({ length: keys }, make)),
  }
}

async function main(): Promise<void> {
  const service = await startBenchService()
  const [locked, other] = [await writable(service, 10), await writable(service, 10)]
  const readers = await Promise.all(Array.from({ length: 20 }, () => service.newKey()))
  const read: Task = { kind: 'read', url: `${service.url}/api/mcp/projects`, keys: readers }
  const write: Task = { kind: 'write', url: service.url + other.path, keys: other.keys }
  const stuck: Task = { kind: 'stuck', url: service.url + locked.path, keys: locked.keys }
  const both = async (name: string) => {
    const [reads, writes] = await Promise.all([inChild(read), inChild(write)])
    show(`reads ${name}`, reads)
    show(`writes of another workspace ${name}`, writes)
  }
  await inChild(read)
  await both('alone')
  const isOver = Promise.withResolvers<void>()
  const holder = service.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM "Project" WHERE id = ${locked.id}::uuid FOR UPDATE`
      await isOver.promise
    },
    { timeout: 600_000 },
  )
  const waits = inChild(stuck)
  await sleep(1000)
  await both(`beside ${connections} writes to a locked project`)
  show('the writes to the locked project', await waits)
  isOver.resolve()
  await holder
  await service.stop()
}

if (process.send) {
  const [task] = (await once(process, 'message')) as [Task]
  process.send(await ask(task))
} else {
  await main()
}
