import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { fillFacts } from '../facts.ts'
import { quantile, say, startBenchService } from '../service.ts'

/**
 * node bench/neighbours/heavy-reports.ts [SECONDS]
 *
 * Prints the times of a small report of one workspace, alone and beside a neighbour. One key of the neighbour asks for
 * 30 heavy reports at a time, over a million citations.
 */
const seconds = Number(process.argv[2] ?? 10)
const heavyAtOnce = 30

const service = await startBenchService()
await fillFacts(service, 20)
const { db, url, projectId } = service
const workspaceId = (await createWorkspace(db, { name: 'Neighbour' })).id
const small = await createProject(db, { workspaceId, name: 'Acme', domain: 'acme.com' }, 'bench')
const { key: light } = await createKey(db, { workspaceId, scopes: ['read'] })

async function get(path: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/mcp/projects/${path}`, { headers })
  await response.arrayBuffer()
  return response.status
}

const count = (statuses: Record<string, number>, status: number) => {
  statuses[status] = (statuses[status] ?? 0) + 1
}

/** A new window each time: a repeated statement would be answered from memory. */
let asked = 0
const windowOf = (most: number) => `days=${most - (asked++ % 300)}`

async function lights(): Promise<string> {
  const [times, statuses]: [number[], Record<string, number>] = [[], {}]
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const began = performance.now()
    count(statuses, await get(`${small.id}/visibility?${windowOf(365)}`, light))
    times.push(performance.now() - began)
    await sleep(50)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const [median, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)].map((ms) => ms.toFixed(0))
  const most = (sorted.at(-1) ?? Number.NaN).toFixed(0)
  return `median ${median} ms, 95 % within ${p95} ms, most ${most} ms, ${sorted.length} answers ${JSON.stringify(statuses)}`
}

await lights()
say(`alone: ${await lights()}`)
const heavy = { isOn: true, statuses: {} as Record<string, number> }
const lines = Array.from({ length: heavyAtOnce }, async () => {
  while (heavy.isOn) {
    count(heavy.statuses, await get(`${projectId}/sources/urls?${windowOf(365)}`, service.key))
  }
})
await sleep(1000)
say(`beside ${heavyAtOnce} heavy reports of one key at a time: ${await lights()}`)
heavy.isOn = false
await Promise.all(lines)
say(`the heavy reports: ${JSON.stringify(heavy.statuses)}`)
await service.stop()
